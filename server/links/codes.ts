// The codes of short links: random and readable from paper, or chosen by the owner.
import { invalid, type Problem } from '../kernel/problem.ts'
import type { RandomBytes } from '../kernel/secrets.ts'

/** Base62 without what looks like something else: 0 O o, 1 l I i. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'

/** 1.5 million million codes: with a million links, of 1.5 million guesses one finds a link. */
export const CODE_LENGTH = 7

/**
 * The largest multiple of the alphabet in a byte: bytes from there on are thrown away, or the first letters
 * would be the more likely ones.
 */
const FAIR = 256 - (256 % CODE_ALPHABET.length)

export function randomCode(randomBytes: RandomBytes): string {
  let code = ''
  while (code.length < CODE_LENGTH)
    for (const byte of randomBytes(CODE_LENGTH - code.length))
      if (byte < FAIR) code += CODE_ALPHABET[byte % CODE_ALPHABET.length]!
  return code
}

const codeShape = /^[\w-]{1,64}$/

/** Anything else needs no look-up. Wider than what can be chosen: codes of other services may be shorter. */
export const isCode = (text: string): boolean => codeShape.test(text)

export const MIN_SLUG = 3
export const MAX_SLUG = 64
const slugShape = new RegExp(`^[A-Za-z0-9_-]{${MIN_SLUG},${MAX_SLUG}}$`)

/**
 * What the service has on a short domain that is the root of its host, what browsers and crawlers ask any
 * host for, and what an installation may want to put there one day. Compared in lower case.
 */
const reserved: ReadonlySet<string> = new Set(
  (
    'about account admin api app assets auth blog dashboard docs download email favicon form forms health healthz help ' +
    'home icons imprint index legal link links lists login logout mail manage metrics null openapi password preview privacy ' +
    'readyz register robots security settings short-domain signals signin signup sitemap static status support terms ' +
    'tls-host undefined unsubscribe uploads v1 v2 v3 well-known www'
  ).split(' '),
)

/** Why a code cannot be chosen, whoever has it; undefined when it can. */
export function slugFault(code: string, isKept = false): 'shape' | 'reserved' | undefined {
  if (!(isKept ? codeShape : slugShape).test(code)) return 'shape'
  return reserved.has(code.toLowerCase()) ? 'reserved' : undefined
}

const sentences = {
  shape: `code must have ${MIN_SLUG} to ${MAX_SLUG} characters: letters without accents, digits, - and _.`,
  reserved: 'code is reserved: choose another one.',
  taken: 'code is taken, or was before: choose another one.',
} as const

export type CodeFault = keyof typeof sentences

export const codeProblem = (fault: CodeFault): Problem => invalid('code', sentences[fault])

/**
 * @param isKept it comes from another service, whose codes may be shorter.
 * @returns undefined where a random code is wanted.
 * @throws Problem('validation_failed') about `code`.
 */
export function readSlug(written: string | null | undefined, isKept = false): string | undefined {
  const code = written?.trim() ?? ''
  if (code === '') return undefined
  const fault = slugFault(code, isKept)
  if (fault) throw codeProblem(fault)
  return code
}

/** Of a slug that is suggested: enough for a few words. */
const MAX_SUGGESTED = 40

/** “Spring letter, 2026” → `spring-letter-2026`; '' where no letter is left. */
export function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_SUGGESTED)
    .replaceAll(/^-+|-+$/g, '')
}
