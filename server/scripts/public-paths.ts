// PUBLIC_PATHS: browser libraries and the calls of visitors under names of the owner's, which no list of a
// blocker knows, beside their own. A library under such a name asks under such names, too.
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Config, SettingError } from '../config.ts'
import { ownPaths, type ShortDomains } from '../redirect/redirect.ts'
import { staticFile } from '../serving/static-files.ts'
import { type Script, SCRIPT_NAMES, type ScriptName } from './scripts.ts'

/** Where visitors call; whatever is behind it stays as it is. */
const PREFIXES = ['/v2/signal', '/v2/form', '/v2/content', '/v2/lib', '/f'] as const
const NAMED: readonly string[] = [...SCRIPT_NAMES.map((name) => `/${name}.js`), ...PREFIXES]
/** Characters that the router takes as they are. A path like `/.well-known` is not the owner's to give. */
const PLAIN = /^(?:\/\w[\w.~-]*){1,5}$/
const MAX_CHARACTERS = 100

export interface PublicPaths {
  /** By the name of the library: its other path. */
  readonly scripts: ReadonlyMap<ScriptName, string>
  /** The path under which the router knows a URL; undefined for what has no other name. */
  readonly rewriteUrl: ((url: string) => string | undefined) | undefined
  /** The library as it is handed out at its other path. */
  readonly rename: (script: Script, path: string) => Script
}

function refuse(reason: string): never {
  throw new SettingError('PUBLIC_PATHS', reason)
}

const isUnder = (path: string, top: string): boolean => `${path}/`.startsWith(`${top}/`)
const overlap = (one: string, other: string): boolean => isUnder(one, other) || isUnder(other, one)

/** Paths that something else answers at, or answers below. */
interface Places {
  readonly dashboard: readonly string[]
  readonly shortDomains: ShortDomains
}

function check([from, to]: readonly [string, string], taken: readonly string[], hasCodesAtRoot: boolean): void {
  if (!NAMED.includes(from)) refuse(`cannot rename ${from}: it renames ${NAMED.join(', ')}`)
  if (!PLAIN.test(to) || to.length > MAX_CHARACTERS)
    refuse(`cannot give ${from} the name ${to}: a name has one to five parts of letters, digits, ., _, ~ and -`)
  const other = taken.find((path) => overlap(to, path))
  if (other !== undefined) refuse(`cannot give ${from} the name ${to}: ${other} is taken`)
  if (hasCodesAtRoot && to.lastIndexOf('/') === 0)
    refuse(`cannot give ${from} the name ${to}, which would be a short link: give it two parts`)
}

function checkAll(pairs: Config['publicPaths'], { dashboard, shortDomains }: Places): void {
  const links = shortDomains.paths.map(({ path }) => path)
  const taken = [...ownPaths, ...dashboard, ...links.filter(Boolean)]
  const hasCodesAtRoot = links.includes('')
  const names = new Set<string>()
  for (const pair of pairs) {
    check(pair, taken, hasCodesAtRoot)
    if (names.has(pair[0])) refuse(`renames ${pair[0]} twice`)
    names.add(pair[0])
    taken.push(pair[1])
  }
}

function rewriter(pairs: Config['publicPaths']): NonNullable<PublicPaths['rewriteUrl']> {
  const prefixes = pairs.filter(([from]) => !from.endsWith('.js'))
  const files = new Set(pairs.filter(([from]) => from.endsWith('.js')).map(([, to]) => to))
  return (url) => {
    const [path = ''] = url.split(/[?#]/, 1)
    const prefix = prefixes.find(([, to]) => path.startsWith(`${to}/`))
    if (prefix) return prefix[0] + url.slice(prefix[1].length)
    return files.has(path) ? url : undefined // a dashboard at the root would take it for a page
  }
}

/** What no library calls, but a form in a page. */
const isForForms = (from: string): boolean => from === '/f'

/** How a library finds the folder that it came from (browser/shared/script.ts). */
const ONE_PART = String.raw`/\/[^/]*$/`

/**
 * @param pairs what is renamed @param path where the library is: the service is as many parts above it
 * @returns the text with the names of the service replaced
 */
function renamed(text: string, pairs: Config['publicPaths'], path: string): string {
  const parts = path.split('/').length - 1
  const home = text.replace(ONE_PART, () => String.raw`/(\/[^/]*){${parts}}$/`)
  return pairs
    .filter(([from]) => !isForForms(from))
    .reduce(
      (done, [from, to]) =>
        from.endsWith('.js')
          ? done.replaceAll(`"${from.slice(1)}"`, `"${to.slice(1)}"`).replaceAll(`}${from}\``, `}${to}\``)
          : done.replaceAll(`${from}/`, `${to}/`),
      home,
    )
}

/** @throws SettingError when a name cannot be given. */
export function openPublicPaths({ publicPaths }: Config, places: Places): PublicPaths {
  checkAll(publicPaths, places)
  const names = new Map(publicPaths)
  const scripts = SCRIPT_NAMES.flatMap((name) => {
    const path = names.get(`/${name}.js`)
    return path === undefined ? [] : [[name, path] as const]
  })
  return {
    scripts: new Map(scripts),
    rewriteUrl: publicPaths.length === 0 ? undefined : rewriter(publicPaths),
    rename({ type, plain }, path) {
      const bytes = Buffer.from(renamed(plain.toString(), publicPaths, path))
      const encoded = { br: brotliCompressSync(bytes), gzip: gzipSync(bytes, { level: 9 }) }
      return { ...staticFile(type, bytes, encoded), encoded }
    },
  }
}
