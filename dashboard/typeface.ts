// Inter, cut down to what the dashboard uses: its weights, and tabular figures among the features. The files
// are made before a build and kept in dist/typeface/ until the package changes; typeface.css there names
// them.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** Where theme.css imports it from. */
const folder = join(import.meta.dirname, '..', 'dist', 'typeface')
const source = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json'))

/** All that the style sheets ask for lies between them; the whole range would be 15 kB more. */
const WEIGHTS = { min: 400, max: 700 }
/** Spacing, and figures of one width, so that columns of numbers line up. */
const FEATURES = ['kern', 'tnum']
/** Marks, and forms of a language: browsers compose the letters of the Latin file without them. */
const BEYOND_LATIN = [...FEATURES, 'ccmp', 'locl', 'mark', 'mkmk']
const isLatin = (file: string): boolean => file.startsWith('inter-latin-wght')

interface Face {
  readonly file: string
  /** As in CSS: 'U+0000-00FF,U+0131'. */
  readonly range: string
}

/**
 * Inter's hyphen is as wide as a figure where figures are of one width, which tears words, emails and ids
 * apart: it comes from a file of its own, without that feature.
 */
const HYPHEN = { range: 'U+002D', file: 'inter-hyphen.woff2' } as const

/** The faces of the package's own style sheet: one for each script, loaded when a page has a letter of it. */
function listFaces(): Face[] {
  const css = readFileSync(join(source, 'index.css'), 'utf8')
  const faces = css.matchAll(/files\/(?<file>[\w-]+\.woff2)[^}]*?unicode-range: (?<range>[^;]+);/g)
  return [...faces].map(({ groups }) => ({ file: groups?.['file'] ?? '', range: groups?.['range'] ?? '' }))
}

/** Every character of a range of CSS. */
function charactersOf(range: string): string {
  const spans = range.split(',').map((span) => span.trim().slice('U+'.length).split('-'))
  return spans
    .flatMap(([first = '', last = first]) => {
      const start = Number.parseInt(first, 16)
      return Array.from({ length: Number.parseInt(last, 16) - start + 1 }, (_, index) => start + index)
    })
    .map((code) => String.fromCodePoint(code))
    .join('')
}

async function cutFace({ file, range }: Face, into: string): Promise<string> {
  const bytes = await subsetFont(readFileSync(join(source, 'files', file)), charactersOf(range), {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
    keepFeatures: isLatin(file) ? FEATURES : BEYOND_LATIN,
  })
  writeFileSync(join(into, file), bytes)
  return ruleFor({ file, range })
}

/** Of faces with the same character the last one has it. */
async function cutHyphen(into: string): Promise<string> {
  const latin = listFaces().find(({ file }) => isLatin(file))
  const bytes = await subsetFont(readFileSync(join(source, 'files', latin?.file ?? '')), charactersOf(HYPHEN.range), {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
    keepFeatures: [],
  })
  writeFileSync(join(into, HYPHEN.file), bytes)
  return ruleFor(HYPHEN)
}

const ruleFor = ({ file, range }: Face): string => `@font-face {
  font-family: Inter;
  src: url('./${file}') format('woff2');
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  font-display: swap;
  unicode-range: ${range};
}
`

/** Changes with everything that the files depend on. */
function stampOf(): string {
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  return `/* Inter ${version}, ${JSON.stringify([WEIGHTS, FEATURES, BEYOND_LATIN, HYPHEN])} */\n`
}

async function cutTypeface(): Promise<void> {
  const sheet = join(folder, 'typeface.css')
  const stamp = stampOf()
  if (existsSync(sheet) && readFileSync(sheet, 'utf8').startsWith(stamp)) return
  const made = `${folder}.${process.pid}`
  mkdirSync(made, { recursive: true })
  const rules: string[] = []
  for (const face of listFaces()) rules.push(await cutFace(face, made))
  rules.push(await cutHyphen(made))
  writeFileSync(join(made, 'typeface.css'), stamp + rules.join('\n'))
  rmSync(folder, { recursive: true, force: true })
  renameSync(made, folder)
}

/**
 * Has the files ready before style sheets are read, and lets the browser fetch the Latin one with the page:
 * it would find out only after the styles that a letter needs it.
 */
export const typeface: Plugin = {
  name: 'typeface',
  buildStart: cutTypeface,
  // Its licence wants to be with it.
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'assets/inter-licence.txt',
      source: readFileSync(join(source, 'LICENSE')),
    })
  },
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const latin = Object.keys(bundle).filter((file) =>
        /\/inter-(?:latin-wght-normal|hyphen)-[\w-]+\.woff2$/.test(file),
      )
      return latin.map((file) => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${file}` },
        injectTo: 'head',
      }))
    },
  },
}
