// The dashboard with a second language that nobody speaks: English in wide letters. What a page then still
// says in plain letters does not come from its texts.
import { build, type Plugin } from 'vite'
import { fileURLToPath } from 'node:url'
import { packDashboard } from '../../tools/build-dashboard.mjs'

const dashboard = fileURLToPath(new URL('../../dashboard/', import.meta.url))

/** Esperanto's: a browser can be set to it, and nobody's machine is. */
export const PSEUDO = 'eo'

const PREFIX = 'virtual:pseudo/'

const widened = String.raw`
const wide = (word) => word.replace(/[A-Za-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0) + 0xfee0))
export const widened = (text) => {
  if (typeof text === 'string') return wide(text)
  if (typeof text === 'function') return (...given) => widened(text(...given))
  if (Array.isArray(text)) return text.map(widened)
  return Object.fromEntries(Object.entries(text).map(([name, one]) => [name, widened(one)]))
}`

const languageModule = (english: string): string =>
  english
    .replace(/export const en\b/, `export const ${PSEUDO}`)
    .replace("name: 'English'", "name: 'Pseudo'")
    .replaceAll(/import\('\.\/(\w+)\.ts'\)/g, `import('${PREFIX}$1')`)

const partModule = (part: string): string => `
import { text as english } from '${dashboard}texts/en/${part}.ts'
import { widened } from '${PREFIX}widened'
export const text = widened(english)`

/** One line in texts/languages.ts and one folder, as for any language. */
const pseudoLanguage: Plugin = {
  name: 'pseudo-language',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
  async load(id) {
    const [, part] = id.split(`\0${PREFIX}`)
    if (part === undefined) return undefined
    if (part === 'widened') return widened
    if (part !== 'index') return partModule(part)
    return languageModule(await this.fs.readFile(`${dashboard}texts/en/index.ts`, { encoding: 'utf8' }))
  },
  transform: (code, id) =>
    id.endsWith('/texts/languages.ts') ? `${code}\nexport { ${PSEUDO} } from '${PREFIX}index'` : undefined,
}

/** Builds it, as tools/build-dashboard.mjs builds the real one. */
export async function buildPseudoLanguage(folder: string): Promise<void> {
  await build({
    configFile: `${dashboard}vite.config.ts`,
    root: dashboard,
    logLevel: 'error',
    plugins: [pseudoLanguage],
    build: { outDir: folder, emptyOutDir: true },
  })
  packDashboard(folder, () => ({}))
}
