// The frame of every page of the documentation: navigation, search, the page, what comes before and after.
import type { Section } from './markdown.ts'
import { allPages, groups, hrefFrom, REFERENCE } from './pages.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter)

interface Linked {
  readonly path: string
  readonly label: string
}

const reference: Linked = { path: REFERENCE, label: 'API reference' }

function navigation(path: string): string {
  const entry = ({ path: to, label }: Linked): string =>
    `<li><a href="${hrefFrom(path, to)}"${to === path ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`
  const group = (label: string, pages: readonly Linked[]): string =>
    `<h2>${escapeHtml(label)}</h2><ul>${pages.map(entry).join('')}</ul>`
  return groups.map(({ label, pages }) => group(label, label === 'API' ? [reference, ...pages] : pages)).join('')
}

function neighbours(path: string): string {
  const at = allPages.findIndex((page) => page.path === path)
  if (at < 0) return ''
  const link = (page: Linked | undefined, rel: string, arrow: string): string =>
    page
      ? `<a rel="${rel}" href="${hrefFrom(path, page.path)}">${arrow} ${escapeHtml(page.label)}</a>`
      : '<span></span>'
  return `<nav class="neighbours" aria-label="Before and after">${link(allPages[at - 1], 'prev', '←')}${link(allPages[at + 1], 'next', '→')}</nav>`
}

/** Beside the page, where there is room for it. */
function onThisPage(sections: readonly Section[]): string {
  const chapters = sections.filter(({ depth }) => depth === 2)
  if (chapters.length < 2) return ''
  const entries = chapters.map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`)
  return `<nav class="here" aria-label="On this page"><h2>On this page</h2><ul>${entries.join('')}</ul></nav>`
}

export interface Shown {
  readonly path: string
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

export function layout({ path, title, html, sections }: Shown): string {
  const file = (name: string): string => hrefFrom(path, `static/${name}`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Footfall</title>
<script src="${file('theme.js')}"></script>
<link rel="icon" type="image/svg+xml" href="${file('icon.svg')}">
<link rel="stylesheet" href="${file('docs.css')}">
<script defer src="${file('docs.js')}" data-search="${hrefFrom(path, 'static/search.json')}" data-root="${hrefFrom(path, 'x').slice(0, -1)}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<p class="mark"><img src="${file('icon.svg')}" alt="" width="24" height="24"><a href="${hrefFrom(path, '')}">Footfall</a> <span>Documentation</span></p>
<div class="search" role="search">
<input type="search" placeholder="Search" aria-label="Search the documentation" aria-controls="found" autocomplete="off">
<div id="found" hidden></div>
</div>
<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${navigation(path)}</nav></details>
</header>
<main id="main" tabindex="-1">
<article>${html}</article>
${neighbours(path)}
</main>
${onThisPage(sections)}
</body>
</html>
`
}
