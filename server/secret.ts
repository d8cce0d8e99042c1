// The server's one secret: SECRET, or a file in DATA_DIR that is created at the first start and never again.
// Two processes that start at once agree on one.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Config, SettingError } from './config.ts'

/** 384 bits; written as 64 characters of base64. */
const SECRET_BYTES = 48
/** A shorter file was cut off or written by hand: refused, since ids signed with it could be forged. */
const SECRET_CHARACTERS = 32

function readSecret(path: string): string | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (text.length < SECRET_CHARACTERS) {
    throw new SettingError(
      'DATA_DIR',
      `holds a secret file of fewer than ${SECRET_CHARACTERS} characters; restore it, or set SECRET`,
    )
  }
  return text
}

/**
 * Written completely under another name and then linked: the link fails when another process was first, and
 * nobody can read half of it.
 */
function makeSecret(path: string, secret: string): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${secret}\n`)
    fsyncSync(file)
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
}

type Place = Pick<Config, 'dataDir' | 'clickhouseUrls'>

/**
 * Whether a server has run on this DATA_DIR. It makes the secret before anything else, but older versions let
 * the command line make the records ahead of it: those alone tell only where the facts are elsewhere.
 */
export function isInUse({ dataDir, clickhouseUrls }: Place): boolean {
  const has = (name: string): boolean => existsSync(join(dataDir, name))
  return has('facts') || (clickhouseUrls.length > 0 && has('records.sqlite'))
}

/**
 * A new secret in the place of a lost one would open nothing: no second factor, no webhook's signing secret,
 * no session id. That shows one by one and late, so it is said at once.
 * @throws SettingError
 */
function refuseLost(config: Place): void {
  if (!isInUse(config)) return
  throw new SettingError(
    'DATA_DIR',
    `holds records and no file \`secret\`, under which they were kept: restore ${join(config.dataDir, 'secret')} from a backup. ` +
      `If it is lost, set SECRET to a new text of at least ${SECRET_CHARACTERS} characters and run \`footfall secret change\`: session ids, authenticators and signing secrets of before are then void`,
  )
}

/**
 * The secret of this installation; made, readable by its owner alone, when there is none yet.
 * @throws SettingError when it is cut off, or gone although there are records.
 */
export function openSecret(config: Pick<Config, 'secret'> & Place, randomBytes: (bytes: number) => Buffer): string {
  if (config.secret !== null) return config.secret
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const path = join(config.dataDir, 'secret')
  const found = readSecret(path)
  if (found !== undefined) return found
  refuseLost(config)
  makeSecret(path, randomBytes(SECRET_BYTES).toString('base64'))
  const made = readSecret(path)
  if (made === undefined) throw new SettingError('DATA_DIR', `cannot keep the secret file ${path}`)
  return made
}
