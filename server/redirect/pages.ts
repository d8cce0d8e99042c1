// The pages of a short domain: not found, expired, preview of a destination, unavailable, password. They are
// small, self-contained and without scripts, in the language of the browser; texts of owners are escaped.
import { hash } from 'node:crypto'
import { escapedHtml } from '../html/form-html.ts'
import type { PreviewCard } from '../links/rules-model.ts'
import { type VisitorPage, visitorPage } from '../html/visitor-page.ts'
import { languageFor, type VisitorLanguage, visitorLanguages, visitorTexts } from '../visitor-texts/visitor-texts.ts'

const style =
  ':root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f7f7f5,#111214)}' +
  'body{display:grid;place-items:center;min-height:90vh;margin:0;padding:1rem}' +
  'main{box-sizing:border-box;width:100%;max-width:28rem;padding:2rem;border:1px solid light-dark(#e5e4df,#2b2d31);' +
  'border-radius:12px;background:light-dark(#fff,#18191c)}' +
  'h1{margin:0 0 .5rem;font-size:1.25rem}p{margin:0;overflow-wrap:anywhere;color:light-dark(#55575c,#b4b6bb)}p+p{margin-top:1rem}a{color:light-dark(#2d5bd7,#8fb0ff)}'

/** The policy of every page: only the one style element, by its hash. */
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
} as const

/** @param content HTML. */
function page(language: VisitorLanguage, title: string, content: string): string {
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>\n`
  )
}

type Kind = 'missing' | 'unavailable' | 'expired'

const notice = (kind: Kind, language: VisitorLanguage, more = ''): string => {
  const { title, text } = visitorTexts(language).link[kind]
  return page(language, escapedHtml(title), `<p>${escapedHtml(text)}</p>${more}`)
}

/** Put together once: a short domain may be asked for codes that do not exist all day. */
const notices = (kind: Kind): ReadonlyMap<VisitorLanguage, string> =>
  new Map(visitorLanguages.map((language) => [language, notice(kind, language)]))
const plain = { missing: notices('missing'), unavailable: notices('unavailable'), expired: notices('expired') }

/** How a page leads on to the website. */
function siteLine(language: VisitorLanguage, host: string): string {
  const shown = escapedHtml(visitorTexts(language).link.site(host))
  return `<p><a href="https://${escapedHtml(host)}/">${shown}</a></p>`
}

/**
 * A link that leads nowhere, or is over.
 * @param accepted an Accept-Language header.
 * @param site the host of a website to go on to.
 */
export function deadPage(kind: 'missing' | 'expired', accepted: string | undefined, site?: string): string {
  const language = languageFor('auto', accepted)
  return site === undefined ? plain[kind].get(language)! : notice(kind, language, siteLine(language, site))
}

/**
 * The same page for a link that never existed, was deleted or is switched off: visitors do not learn which.
 * @param accepted an Accept-Language header.
 */
export const missingPage = (accepted: string | undefined): string => deadPage('missing', accepted)

/** @param accepted an Accept-Language header. */
export const unavailablePage = (accepted: string | undefined): string =>
  plain.unavailable.get(languageFor('auto', accepted))!

/** @param location as the redirect would send it. @param accepted an Accept-Language header. */
export function destinationPage(location: string, accepted: string | undefined): string {
  const url = escapedHtml(location)
  const language = languageFor('auto', accepted)
  const title = escapedHtml(visitorTexts(language).link.destination)
  return page(language, title, `<p><a href="${url}" rel="nofollow noreferrer">${url}</a></p>`)
}

/**
 * For programs that ask what a link leads to, in the terms of Open Graph and of X. It says nothing of the
 * destination.
 * @param shortUrl its canonical URL: shares of it are counted together.
 */
export function cardPage({ title, description, image_url }: PreviewCard, shortUrl: string): string {
  const meta = (kind: 'name' | 'property', name: string, content: string | null): string =>
    content === null ? '' : `<meta ${kind}="${name}" content="${escapedHtml(content)}">`
  const shown = escapedHtml(title)
  return (
    `<!doctype html><html prefix="og: https://ogp.me/ns#"><head><meta charset="utf-8"><title>${shown}</title>` +
    meta('name', 'description', description) +
    meta('property', 'og:type', 'website') +
    meta('property', 'og:url', shortUrl) +
    meta('property', 'og:title', title) +
    meta('property', 'og:description', description) +
    meta('property', 'og:image', image_url) +
    meta('name', 'twitter:card', image_url === null ? 'summary' : 'summary_large_image') +
    `</head><body><h1>${shown}</h1></body></html>\n`
  )
}

/** Its name in the form. */
export const PASSWORD_FIELD = 'password'

/** Says nothing of where the link leads. @param accepted an Accept-Language header. */
export function passwordPage(accepted: string | undefined, isWrong: boolean): VisitorPage {
  const language = languageFor('auto', accepted)
  const { title, text, label, button, wrong } = visitorTexts(language).link.password
  const fault = isWrong ? `<p class="bad" id="wrong" role="alert">${escapedHtml(wrong)}</p>` : ''
  const about = isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''
  const field = `<input type="password" name="${PASSWORD_FIELD}" required autofocus autocomplete="off"${about}>`
  const content =
    `<p>${escapedHtml(text)}</p><form method="post"><div><label>${escapedHtml(label)}${field}</label>${fault}</div>` +
    `<button>${escapedHtml(button)}</button></form>`
  return visitorPage({ language, title, content, hasForm: true })
}

/** After too many wrong passwords. @param accepted an Accept-Language header. */
export function tooOftenPage(accepted: string | undefined): VisitorPage {
  const language = languageFor('auto', accepted)
  const { title, text } = visitorTexts(language).link.tooOften
  return visitorPage({ language, title, content: `<p>${escapedHtml(text)}</p>` })
}
