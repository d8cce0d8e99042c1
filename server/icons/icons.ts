// Icons that this server has: flags, logos of browsers, systems and well-known sources, and letters for all
// others. What was collected selects a drawing and is never written into it, so nothing can run in it. How
// flags.json and logos.json come about is said in tools/icons.mjs.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { domainToUnicode } from 'node:url'
import { findSourceByApp, findSourceByHost } from '../enrich/sources.ts'

const UNKNOWN_LETTER = '•'

interface Logo {
  /** Six digits. */
  readonly hex: string
  /** Within 24 by 24. */
  readonly path: string
}

type Names = Readonly<Record<string, string>>
export const namedKinds = ['browsers', 'systems'] as const
export type NamedKind = (typeof namedKinds)[number]

interface Logos {
  /** Slugs by name, in lower case. */
  readonly names: Readonly<Record<NamedKind | 'sources', Names>>
  readonly logos: Readonly<Record<string, Logo>>
}

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
const { names, logos } = read('logos.json') as Logos
const flags = read('flags.json') as Names

const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

// ---------------------------------------------------------------- letters

/** The first letter or digit of a text as people read it, in upper case. */
function letterOf(text: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(text)?.[0].toUpperCase() ?? UNKNOWN_LETTER
  return [...letter][0] ?? UNKNOWN_LETTER
}

/** Dark enough for white letters on every hue. */
function colourOf(text: string): string {
  return `hsl(${parseInt(hash('sha256', text).slice(0, 4), 16) % 360} 45% 38%)`
}

const drawn = (colour: string, inside: string): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">' +
  `<rect width="32" height="32" rx="7" fill="${colour}"/>${inside}</svg>`

const lettered = (text: string, letter: string): string =>
  drawn(
    colourOf(text),
    '<text x="16" y="22" text-anchor="middle" font-family="system-ui, sans-serif" font-size="17" font-weight="600" fill="#fff">' +
      `${letter}</text>`,
  )

// ---------------------------------------------------------------- logos

/** Above it white on the colour cannot be told from it: the drawing is dark then. */
const LIGHT = 0.6

function isLight(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
  return 0.299 * red + 0.587 * green + 0.114 * blue > LIGHT
}

function logoOf(kind: keyof Logos['names'], name: string): string | undefined {
  const slug = own(names[kind], name.toLowerCase())
  const logo = slug === undefined ? undefined : own(logos, slug)
  if (!logo) return undefined
  const ink = isLight(logo.hex) ? '#1a1a1a' : '#fff'
  return drawn(`#${logo.hex}`, `<path transform="translate(7 7) scale(.75)" fill="${ink}" d="${logo.path}"/>`)
}

/** An SVG image of 32 by 32. */
export function domainIcon(domain: string): string {
  const known = findSourceByHost(domain.toLowerCase()) ?? findSourceByApp(domain)
  const readable = domainToUnicode(domain.toLowerCase()).replace(/^www\./, '')
  return (known && logoOf('sources', known.name)) ?? lettered(domain, letterOf(readable))
}

/** The same of a browser or a system by its name. */
export const namedIcon = (kind: NamedKind, name: string): string => logoOf(kind, name) ?? lettered(name, letterOf(name))

/** Undefined for a code that no country has. */
export const flagIcon = (code: string): string | undefined => own(flags, code.toLowerCase())
