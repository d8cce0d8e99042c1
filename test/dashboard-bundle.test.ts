// How much the dashboard makes a browser load before the overview is there; and that nothing of it is what it
// must not be.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'

const root = new URL('..', import.meta.url).pathname
const folder = join(root, 'dist', 'dashboard')

/** With the page that most people open; over a slow phone line this is about a second. */
const FIRST_LOAD_BYTES = 120_000

const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
const gzipped = (file: string): number => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** A source with everything that is loaded before it runs; what it loads later is not among it. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, source: string, known = new Set<string>()): Set<string> {
  const chunk = manifest[source]
  assert.ok(chunk, `${source} has been built`)
  if (known.has(chunk.file)) return known
  for (const file of [chunk.file, ...(chunk.css ?? [])]) known.add(file)
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, known)
  return known
}

before(() => {
  execFileSync(process.execPath, [join(root, 'tools', 'build-dashboard.mjs')], { stdio: 'pipe' })
})

test('the overview is there after less than 120 kB', (t) => {
  const manifest = JSON.parse(read('.vite/manifest.json')) as Record<string, Chunk>
  const named = [...read('index.html').matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css|woff2))"/g)].map(
    (match) => match[1] ?? '',
  )
  assert.ok(named.length >= 3)
  assert.ok(
    named.some((file) => file.endsWith('.woff2')),
    'the typeface is loaded with the page',
  )
  const files = new Set(['index.html', ...named])
  const chunkOf = (name: string) => Object.keys(manifest).find((key) => manifest[key]?.name === name) ?? name
  // A file of its own, which the page is but a part of.
  const overview = Object.keys(manifest).find((key) => /^_overview-.*\.js$/.test(key)) ?? 'the overview'
  const sources = ['index.html', chunkOf('dashboard'), overview]
  const texts = [chunkOf('en-frame'), 'texts/en/overview.ts']
  for (const source of [...sources, ...texts]) filesOf(manifest, source, files)
  const bytes = [...files].reduce((sum, file) => sum + gzipped(file), 0)
  t.diagnostic(`${files.size} files, ${bytes} bytes with gzip`)
  assert.ok(bytes < FIRST_LOAD_BYTES, `${bytes} bytes: ${[...files].join(', ')}`)
})

test('no file of it holds a test, a secret of the server, or anything that is loaded from elsewhere', () => {
  const files = readdirSync(folder, { recursive: true }).map(String)
  assert.deepEqual(
    files.filter((name) => /\.(map|tsx?)$/.test(name)),
    [],
  )
  for (const name of files.filter((file) => /\.(js|css|html)$/.test(file))) {
    const text = read(name)
    assert.doesNotMatch(text, /\/work\/|\/tmp\/|\/home\/|node_modules|ADMIN_TOKEN|CLICKHOUSE_URL|argon2/, name)
    assert.doesNotMatch(text, /\b(?:src|url)\s*[=(:]\s*["'`]?(?:https?:)?\/\/(?!www\.w3\.org)/i, name)
    assert.doesNotMatch(text, /\beval\(|new Function\(/, name)
  }
})
