// What comments are held to: lines that fit beside each other on a screen, and references to files that a
// reader has.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'

const root = new URL('..', import.meta.url).pathname

/** The formatter wraps code and leaves comments alone. */
const COLUMNS = 110

interface Source {
  readonly path: string
  readonly text: string
}

const sources: readonly Source[] = globSync(
  '{server,cli,browser,dashboard,bench,tools,test,examples}/**/*.{ts,tsx,mjs}',
  {
    cwd: root,
  },
)
  .filter((path) => !path.includes('node_modules/') && !path.includes('/dist/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Lines of comments of their own, and comments behind code; with the number of the line. */
function commentLines(text: string): { readonly line: string; readonly comment: string; readonly number: number }[] {
  return text.split('\n').flatMap((line, index) => {
    const comment = /^\s*(?:\/\/|\/\*|\*)(.*)$/.exec(line)?.[1] ?? /[^:'"`]\s\/\/ ([^'"`]*)$/.exec(line)?.[1]
    return comment === undefined ? [] : [{ line, comment, number: index + 1 }]
  })
}

const tooLong = ({ path, text }: Source): string[] =>
  commentLines(text)
    .filter(({ line }) => line.length > COLUMNS)
    .map(({ number }) => `${path}:${number}`)

/** Files by their names, to which a comment may also add folders: `memory.ts`, `redirect/memory.ts`. */
const known = new Set(
  globSync('{*,{server,cli,browser,dashboard,bench,tools,test,examples,docs}/**/*}.{ts,tsx,mjs,md}', { cwd: root })
    .filter((path) => !path.includes('node_modules/'))
    .flatMap((path) => path.split('/').map((_, from, parts) => parts.slice(from).join('/'))),
)

/**
 * A name in a comment stands for a file below the folder of the comment, or anywhere by the end of its path.
 */
function unknownFiles({ path, text }: Source): string[] {
  return commentLines(text).flatMap(({ comment, number }) =>
    [...comment.matchAll(/(?<![\w/.@*-])[\w./-]*[\w-]+\.(?:tsx?|mjs|md)\b(?![\w*])/g)]
      .map(([name]) => name.replace(/^(?:\.\.?\/)+/, ''))
      .filter((name) => !known.has(name) && !existsSync(join(root, dirname(path), name)))
      .map((name) => `${path}:${number} names ${name}`),
  )
}

const absent = ['SPEC', 'DESIGN'].map((name) => `${name}.md`)

test(`comments have at most ${COLUMNS} columns`, () => {
  assert.ok(sources.length > 400, 'the files were found')
  assert.deepEqual(sources.flatMap(tooLong), [])
})

test('every file that a comment names exists', () => {
  assert.deepEqual(sources.flatMap(unknownFiles), [])
})

test('nothing refers to a document that is not in the repository', () => {
  const pages = globSync('{*,docs/**/*,dashboard/*,examples/**/*}.md', { cwd: root })
    .filter((path) => !path.includes('node_modules/') && basename(path) !== 'CHANGELOG.md')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const named = [...sources, ...pages].flatMap(({ path, text }) =>
    absent.filter((name) => text.includes(name)).map((name) => `${path} names ${name}`),
  )
  assert.deepEqual(named, [])
})

test('the rules can fail', () => {
  const path = 'server/kernel/any.ts'
  const long = 'x'.repeat(COLUMNS)
  assert.equal(tooLong({ path, text: `// ${long}` }).length, 1)
  assert.equal(tooLong({ path, text: `  /** ${long} */` }).length, 1)
  assert.equal(tooLong({ path, text: `const a = ${'1 + '.repeat(30)}1 // the sum of ones` }).length, 1)
  assert.equal(tooLong({ path, text: `const url = 'https://${long}'` }).length, 0)
  assert.deepEqual(unknownFiles({ path, text: '// see page.ts, never-was.ts and docs/api/never-was.md' }), [
    `${path}:1 names never-was.ts`,
    `${path}:1 names docs/api/never-was.md`,
  ])
  assert.deepEqual(unknownFiles({ path, text: '// see page.ts, kernel/page.ts and docs/definitions.md' }), [])
})
