// What every mail looks like: one template, as text and as HTML. Whatever goes in is text, and escaped; the
// HTML loads nothing from anywhere, runs nothing, and is readable without its styles.

/** A part of a letter, from top to bottom. */
export type Block =
  | { readonly kind: 'text' | 'heading'; readonly text: string }
  | { readonly kind: 'button'; readonly label: string; readonly url: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

export interface Letter {
  readonly subject: string
  /** As in the lang attribute; English when left out. */
  readonly language?: string | undefined
  readonly title: string
  readonly blocks: readonly Block[]
  /** Why the reader gets this mail: the last lines. */
  readonly reason: string
  readonly unsubscribeUrl?: string | undefined
}

export const text = (words: string): Block => ({ kind: 'text', text: words })
export const heading = (words: string): Block => ({ kind: 'heading', text: words })
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
export const facts = (rows: readonly (readonly [string, string])[]): Block => ({ kind: 'facts', rows })

const UNSUBSCRIBE = 'Unsubscribe'

// ---------------------------------------------------------------- text

/** Lines of a value stand under it: none is taken for one of the letter's own. */
const indented = (value: string): string => value.replace(/\r\n?|[\n\u2028\u2029]/g, '\n    ')

function textOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'heading':
      return `${block.text}\n${'-'.repeat(Math.min(60, block.text.length))}`
    case 'button':
      return `${block.label}:\n${block.url}`
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${indented(value)}`).join('\n')
    case 'table':
      return block.rows.map((cells) => cells.filter((cell) => cell !== '').join('  ')).join('\n')
  }
}

export function letterText({ title, blocks, reason, unsubscribeUrl }: Letter): string {
  const foot = unsubscribeUrl === undefined ? reason : `${reason}\n${UNSUBSCRIBE}: ${unsubscribeUrl}`
  return `${[title, ...blocks.map(textOf), `-- \n${foot}`].join('\n\n')}\n`
}

// ---------------------------------------------------------------- HTML

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (words: string): string => words.replace(/[&<>"']/g, (character) => entities[character] ?? '')
const withBreaks = (words: string): string => escaped(words).replace(/\r\n?|\n/g, '<br>')

/**
 * Mail programs keep styles in attributes alone; those that know a dark mode and keep the block of styles get
 * its colours too.
 */
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f4f5f7;color:#1d2433;font:16px/1.5 -apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
  card: 'max-width:560px;margin:0 auto;font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;background:#ffffff;border:1px solid #e3e6eb;border-radius:10px',
  inside: 'padding:28px 32px 24px',
  title: 'margin:0 0 16px;font-size:21px;line-height:1.3;font-weight:600;overflow-wrap:anywhere',
  heading: 'margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600;overflow-wrap:anywhere',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:10px 18px;border-radius:7px;background:#2f5bd8;color:#ffffff;font-weight:600;text-decoration:none',
  under: 'margin:-4px 0 16px;font-size:13px;color:#667085;overflow-wrap:anywhere',
  table: 'width:100%;margin:0 0 16px;border-collapse:collapse',
  label:
    'padding:7px 16px 7px 0;border-top:1px solid #e9ecf0;color:#667085;font-size:14px;font-weight:400;text-align:left;vertical-align:top;width:32%;overflow-wrap:anywhere',
  value: 'padding:7px 0;border-top:1px solid #e9ecf0;font-size:15px;vertical-align:top;overflow-wrap:anywhere',
  head: 'padding:0 0 6px;color:#667085;font-size:13px;font-weight:500;text-align:left;overflow-wrap:anywhere',
  headRight: 'padding:0 0 6px 12px;color:#667085;font-size:13px;font-weight:500;text-align:right',
  right:
    'padding:7px 0 7px 12px;border-top:1px solid #e9ecf0;font-size:15px;text-align:right;vertical-align:top;white-space:nowrap',
  foot: 'max-width:560px;margin:16px auto 0;padding:0 32px;font-size:13px;line-height:1.5;color:#667085;overflow-wrap:anywhere',
} as const

const darkStyles = `@media (prefers-color-scheme: dark) {
body, .page { background: #14171d !important; color: #e8ebf0 !important }
.card { background: #1c2028 !important; border-color: #2d333d !important }
.line { border-color: #2d333d !important }
.button { background: #4169e1 !important }
.quiet { color: #9aa4b2 !important }
}
@media (max-width: 480px) { .inside { padding: 22px 20px 18px !important } .foot { padding: 0 20px !important } }`

const factRow = ([label, value]: readonly [string, string]): string =>
  `<tr><th scope="row" class="line quiet" style="${styles.label}">${escaped(label)}</th>` +
  `<td class="line" style="${styles.value}">${withBreaks(value)}</td></tr>`

function tableRow(cells: readonly string[]): string {
  const cellOf = (cell: string, at: number): string =>
    `<td class="line" style="${at === 0 ? styles.value : styles.right}">${withBreaks(cell)}</td>`
  return `<tr>${cells.map(cellOf).join('')}</tr>`
}

function tableHead(cells: readonly string[]): string {
  const cellOf = (cell: string, at: number): string =>
    `<th scope="col" class="quiet" style="${at === 0 ? styles.head : styles.headRight}">${escaped(cell)}</th>`
  return `<tr>${cells.map(cellOf).join('')}</tr>`
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p style="${styles.text}">${withBreaks(block.text)}</p>`
    case 'heading':
      return `<h2 style="${styles.heading}">${escaped(block.text)}</h2>`
    case 'button':
      return (
        `<p style="${styles.text}"><a class="button" href="${escaped(block.url)}" style="${styles.button}">${escaped(block.label)}</a></p>` +
        `<p class="quiet" style="${styles.under}">${escaped(block.url)}</p>`
      )
    case 'facts':
      return `<table style="${styles.table}">${block.rows.map(factRow).join('')}</table>`
    case 'table':
      return `<table style="${styles.table}">${tableHead(block.head)}${block.rows.map(tableRow).join('')}</table>`
  }
}

/** Only addresses of the web lead anywhere. */
const isWebUrl = (url: string): boolean => ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '')

/** @throws when a link of ours is none: that is a fault of ours. */
export function letterHtml({ subject, language = 'en', title, blocks, reason, unsubscribeUrl }: Letter): string {
  for (const block of blocks)
    if (block.kind === 'button' && !isWebUrl(block.url)) throw new Error('the button of a mail leads nowhere')
  const end =
    unsubscribeUrl === undefined
      ? ''
      : ` <a class="quiet" href="${escaped(unsubscribeUrl)}" style="color:#667085">${UNSUBSCRIBE}</a>`
  return `<!doctype html>
<html lang="${escaped(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title><style>${darkStyles}</style></head>
<body class="page" style="${styles.body}">
<div class="card" role="main" style="${styles.card}"><div class="inside" style="${styles.inside}">
<h1 style="${styles.title}">${escaped(title)}</h1>
${blocks.map(htmlOf).join('\n')}
</div></div>
<div class="quiet foot" role="contentinfo" style="${styles.foot}">${withBreaks(reason)}${end}</div>
</body></html>
`
}
