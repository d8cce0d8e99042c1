// How pieces of a backup are named and written: compressed where that helps, and with a passphrase encrypted
// by AES-256-GCM (NIST SP 800-38D) under keys of scrypt (RFC 7914). The name of a piece is part of what is
// authenticated, so that none can be put in the place of another.
import { hash, hkdfSync, randomBytes, scrypt, type ScryptOptions, timingSafeEqual, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

/** What has to be known to make the keys of a passphrase again; it is no secret. */
export interface Stretching {
  readonly salt: string
  readonly cost: number
  readonly rounds: number
}

export interface Sealer {
  readonly isEncrypted: boolean
  /** The same for the same bytes; without the passphrase it tells nothing of them. */
  nameOf(bytes: Uint8Array): Promise<string>
  seal(name: string, bytes: Uint8Array): Promise<Buffer>
  /** @throws DamagedError */
  open(name: string, sealed: Uint8Array): Promise<Buffer>
}

/** A piece that is not what was put. */
export class DamagedError extends Error {}

const { subtle } = webcrypto
const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)]
const stretch = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * What OWASP chooses for 32 MiB of memory:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const usualCost = { cost: 2 ** 15, rounds: 3 }
const BLOCK = 8
const SALT_BYTES = 16
const KEY_BYTES = 32
/** Of 96 bits at random: fine for 2^32 pieces under one key. */
const NONCE_BYTES = 12

/** The first byte of a piece. */
const forms = { plain: 0, compressed: 1 } as const

export const newStretching = (): Stretching => ({ salt: randomBytes(SALT_BYTES).toString('hex'), ...usualCost })

const hex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex')

async function packed(bytes: Uint8Array): Promise<Buffer> {
  const small = await compress(bytes)
  const [form, body] = small.length < bytes.length ? [forms.compressed, small] : [forms.plain, bytes]
  return Buffer.concat([Buffer.from([form]), body])
}

async function unpacked(name: string, bytes: Uint8Array): Promise<Buffer> {
  try {
    const body = bytes.subarray(1)
    if (bytes[0] === forms.compressed) return await decompress(body)
    if (bytes[0] === forms.plain) return Buffer.from(body)
  } catch {
    // told below
  }
  throw new DamagedError(`${name} is damaged.`)
}

export const plainSealer: Sealer = {
  isEncrypted: false,
  nameOf: async (bytes) => hex(await subtle.digest('SHA-256', bytes)),
  seal: (_name, bytes) => packed(bytes),
  open: (name, sealed) => unpacked(name, sealed),
}

/** Takes a third of a second and 32 MiB. */
export async function openSealer(passphrase: string, { salt, cost, rounds }: Stretching): Promise<Sealer> {
  const maxmem = 2 * 128 * cost * BLOCK
  const options = { N: cost, r: BLOCK, p: rounds, maxmem }
  const secret = await stretch(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), KEY_BYTES, options)
  const derived = (use: string) => new Uint8Array(hkdfSync('sha256', secret, '', use, KEY_BYTES))
  const key = await subtle.importKey('raw', derived('pieces'), 'AES-GCM', false, ['encrypt', 'decrypt'])
  const sha = { name: 'HMAC', hash: 'SHA-256' }
  const naming = await subtle.importKey('raw', derived('names'), sha, false, ['sign'])
  const cipherOf = (name: string, iv: Uint8Array) => ({
    name: 'AES-GCM',
    iv: iv as Uint8Array<ArrayBuffer>,
    additionalData: Buffer.from(name),
  })
  return {
    isEncrypted: true,
    nameOf: async (bytes) => hex(await subtle.sign('HMAC', naming, bytes)),
    seal: async (name, bytes) => {
      const nonce = randomBytes(NONCE_BYTES)
      const body = await subtle.encrypt(cipherOf(name, nonce), key, await packed(bytes))
      return Buffer.concat([nonce, Buffer.from(body)])
    },
    open: async (name, sealed) => {
      const [nonce, body] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES)]
      const opened = await subtle
        .decrypt(cipherOf(name, nonce), key, body as Uint8Array<ArrayBuffer>)
        .catch(() => undefined)
      if (!opened) throw new DamagedError(`${name} is damaged, or was encrypted with another passphrase.`)
      return unpacked(name, new Uint8Array(opened))
    },
  }
}

/** Whether the bytes are those that have this name, to whoever may have made both. */
export async function isNamed(sealer: Sealer, name: string, bytes: Uint8Array): Promise<boolean> {
  const [found, wanted] = [await sealer.nameOf(bytes), name].map((text) => Buffer.from(hash('sha256', text), 'hex'))
  return timingSafeEqual(found!, wanted!)
}
