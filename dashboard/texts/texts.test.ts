// Texts are read through one door, and are there before the code that reads them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const texts = join(root, 'texts')
/** Without its comments. */
const read = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
const sources = globSync('**/*.{ts,tsx}', { cwd: root }).map((file) => join(root, file))
const outside = sources.filter((file) => !file.startsWith(texts) && !file.endsWith('.test.ts'))

const staticImport = /^(?:import|export) (?!type\b)[^'"]*?from '(\.[^']+\.tsx?)'/gms
/**
 * `withTexts(['links'], () => import('./page.tsx'))`, or an import of something that has its texts already.
 */
const lateImport = /(?:withTexts\(\[([^\]]*)\][^[]*?)?import\(\s*'(\.[^']+\.tsx?)'\s*\)/g
const textImport = /^import \{([^}]*)\} from '[./]*\/texts\/index\.ts'/gm
const parts = new Set(globSync('*.ts', { cwd: join(texts, 'en') }).map((file) => file.replace('.ts', '')))

const resolved = (file: string, path = ''): string => join(dirname(file), path)

/** A module with everything that is loaded before it runs. */
function closureOf(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file) || file.startsWith(texts) || file.includes('/server/') || file.includes('/browser/')) return known
  known.add(file)
  for (const [, path] of read(file).matchAll(staticImport)) closureOf(resolved(file, path), known)
  return known
}

const partsIn = (file: string): string[] =>
  [...read(file).matchAll(textImport)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' as ')[0] ?? ''))
    .filter((name) => parts.has(name))

interface Late {
  readonly file: string
  readonly loaded: readonly string[]
}

/** What a module and those below it load late, each with the parts that are there by then. */
function lateIn(entry: string, loaded: readonly string[], known = new Set<string>()): Late[] {
  return [...closureOf(entry)].flatMap((file) =>
    [...read(file).matchAll(lateImport)].flatMap(([, named = '', path]) => {
      // Each once, and in one order: modules may load each other.
      const parts = new Set([...loaded, ...named.replaceAll(/['\s]/g, '').split(',')])
      const late = { file: resolved(file, path), loaded: [...parts].toSorted() }
      const key = JSON.stringify(late)
      if (known.has(key)) return []
      known.add(key)
      return [late, ...lateIn(late.file, late.loaded, known)]
    }),
  )
}

test('nothing but texts/ knows a language', () => {
  // The build writes the words of index.html, which is painted before any language is chosen.
  const wrong = outside.filter(
    (file) => file !== join(root, 'vite.config.ts') && /from '[^']*\/texts\/(?!index\.ts')/.test(read(file)),
  )
  assert.deepEqual(wrong, [])
})

test('numbers, dates and lists are written in the language of the texts', () => {
  const formats = outside.filter((file) => /\bIntl\.|toLocale|navigator\.language\b/.test(read(file)))
  assert.deepEqual(
    formats.map((file) => relative(root, file)),
    ['calendar-words.ts', 'format.ts'],
  )
})

test('a module is loaded with the texts that it reads', () => {
  const late = lateIn(join(root, 'main.ts'), ['common', 'shell'])
  assert.ok(late.length > 25, `${late.length} modules were found`)
  const missing = late.flatMap(({ file, loaded }) =>
    [...closureOf(file)].flatMap((source) =>
      partsIn(source)
        .filter((part) => !loaded.includes(part))
        .map((part) => `${relative(root, file)} needs “${part}” (${relative(root, source)})`),
    ),
  )
  assert.deepEqual([...new Set(missing)], [])
})

test('the start loads texts before any code that reads them', () => {
  const files = [...closureOf(join(root, 'main.ts'))]
  assert.deepEqual(
    files.filter((file) => partsIn(file).length > 0),
    [],
  )
})
