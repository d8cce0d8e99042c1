// What people read is written in the words of docs/glossary.md: the ones that it avoids are not to be found
// in the dashboard, the command line, the README and the guides.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

interface Rule {
  /** As the table of the glossary has it under “Not”. */
  readonly not: string
  readonly pattern: RegExp
}

/** No guide, message or label has these. */
const everywhere: readonly Rule[] = [
  { not: 'e-mail', pattern: /\be-mails?\b/i },
  { not: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/i },
  { not: 'good once', pattern: /\bgood (?:once|until)\b/i },
  { not: 'second factor', pattern: /\bsecond factors?\b(?!_)/i },
  { not: 'preceding period', pattern: /\bpreceding period\b/i },
  { not: 'shut out', pattern: /\bshuts? out\b/i },
  { not: 'kept apart', pattern: /\bkept apart\b/i },
  { not: 'robot', pattern: /\brobots?\b(?!\.txt)/i },
]

/** In what people read most, words are chosen more strictly. */
const inTheProduct: readonly Rule[] = [
  ...everywhere,
  { not: 'figure', pattern: /\bfigures?\b/i },
  { not: 'program', pattern: /\bprograms?\b/i },
  { not: 'address', pattern: /(?<!\b(?:IP|email|IPv4|IPv6) )\baddress(?:es)?\b/i },
  { not: 'made', pattern: /\b(?:make|makes|made|making) (?:a|an|the|your|new|it|by|anew|of|up)\b/i },
  { not: 'rights', pattern: /\brights\b/i },
  { not: 'take back', pattern: /\b(?:take|taken|takes) (?:it )?back\b/i },
  { not: 'withdraw', pattern: /\bwithdr[ae]w/i },
  { not: 'for good', pattern: /\bfor good\b/i },
  { not: 'made up', pattern: /\bmade[- ]up\b/i },
  { not: 'everybody', pattern: /\beverybody\b(?!:)/i },
  { not: 'colour', pattern: /colour|behaviour|\bcentre\b|anonymis|customis(?!e:)|licence/i },
  { not: 'switch on', pattern: /\bswitch(?:ed)? (?:it )?(?:on|off)\b/i },
]

/** Strings of a module: what people can read of it. Comments, imports and names are not. */
function stringsIn(source: string): string {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/^(?:import|export) .* from .*$/gm, '')
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)]
    .map(([literal]) => literal.replaceAll(/\$\{[^}]*\}/g, '…'))
    .join('\n')
}

/** Prose of a guide: without code, names of settings and targets of links. */
const proseOf = (markdown: string): string =>
  markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`]*`/g, '…')
    .replaceAll(/\]\([^)]*\)/g, ']')

const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).filter((file) => !/\.test\.ts$|glossary\.md$/.test(file))

function broken(files: readonly string[], rules: readonly Rule[], wordsOf: (text: string) => string): string[] {
  return files.flatMap((file) =>
    wordsOf(readFileSync(join(root, file), 'utf8'))
      .split('\n')
      .flatMap((line) => {
        const rule = rules.find(({ pattern }) => pattern.test(line))
        return rule ? [`${file}: “${rule.not}” in “${line.trim().slice(0, 160)}”`] : []
      }),
  )
}

test('the dashboard speaks in the words of the glossary', () => {
  assert.deepEqual(broken(filesOf('dashboard/texts/en/*.ts'), inTheProduct, stringsIn), [])
})

test('so does the command line', () => {
  assert.deepEqual(broken(filesOf('cli/*.ts'), inTheProduct, stringsIn), [])
})

test('so does the README', () => {
  assert.deepEqual(broken(['README.md'], inTheProduct, proseOf), [])
})

test('so do the guides', () => {
  assert.deepEqual(broken([...filesOf('docs/*.md'), ...filesOf('docs/api/*.md')], everywhere, proseOf), [])
})

test('every word that is rejected is in the glossary', () => {
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  const missing = inTheProduct.filter(({ not }) => !glossary.includes(not))
  assert.deepEqual(
    missing.map(({ not }) => not),
    [],
  )
})

test('a word is rejected where people read it, and only there', () => {
  const source = `import { figure } from './figure.ts'\n// figures\nexport const text = { a: 'New figures', b: 'Your IP address' }`
  assert.match(stringsIn(source), /New figures/)
  assert.doesNotMatch(stringsIn(source), /import/)
  const wrong = inTheProduct.filter(({ pattern }) => pattern.test(stringsIn(source)))
  assert.deepEqual(
    wrong.map(({ not }) => not),
    ['figure'],
  )
})
