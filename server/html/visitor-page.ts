// A page of the service's own that a visitor sees: small, without scripts, readable in light and dark, in any
// width. Whoever puts it together escapes texts with `escapedHtml`.
import { hash } from 'node:crypto'
import { escapedHtml } from './form-html.ts'

const ACCENT = '#2d5bd7'

const styleOf = (accent: string): string => `:root{color-scheme:light dark;--accent:${accent};
--ground:light-dark(#f6f7f9,#14161a);--card:light-dark(#fff,#1d2026);--ink:light-dark(#1b1f27,#e8eaee);
--quiet:light-dark(#5b6270,#a0a7b4);--line:light-dark(#d3d7df,#3a3f4a);--bad:light-dark(#b3261e,#ff9c93);
font:1rem/1.5 system-ui,sans-serif}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink)}
main{max-width:36rem;margin:clamp(1rem,8vh,5rem) auto 2rem;padding:clamp(1.25rem,5vw,2.25rem);background:var(--card);
border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 .75rem}h2{font-size:1.0625rem;margin:.5rem 0 0}p{margin:0 0 1rem}main>:last-child{margin-bottom:0}
img{max-width:100%;height:auto}a{color:inherit}.quiet{color:var(--quiet);font-size:.875rem}
form{display:grid;gap:1.125rem;margin:1.25rem 0}fieldset{border:0;margin:0;padding:0;min-width:0}legend{padding:0}
label,legend{font-weight:600}label.choice{display:flex;gap:.5rem;align-items:baseline;font-weight:400;padding:.25rem 0}
.need{color:var(--quiet);font-weight:400;font-size:.875rem}
input:not([type=checkbox],[type=radio],[type=color],[type=range]),select,textarea{display:block;width:100%;
margin-top:.25rem;padding:.5rem .625rem;font:inherit;color:inherit;background:var(--card);
border:1px solid light-dark(#8a91a0,#6b7280);border-radius:.375rem}
input[type=range]{display:block;width:100%}[aria-invalid=true]{border-color:var(--bad)!important}
.bad{color:var(--bad);margin:.25rem 0 0;font-size:.9375rem}.notice{border-left:3px solid var(--bad);padding-left:.875rem}
.notice.info{border-color:var(--accent)}.notice p{margin:0}.help{color:var(--quiet);margin:.25rem 0 0;font-size:.875rem}
button{justify-self:start;padding:.5625rem 1.25rem;font:inherit;font-weight:600;color:#fff;background:var(--accent);
border:0;border-radius:.375rem;cursor:pointer}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`

const headersOf = (style: string, formAction: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src https: http: data:; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
  'cache-control': 'private, no-store',
  // A page names itself to itself alone: its address may hold a token.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
})

export interface VisitorPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

interface Parts {
  /** As in the lang attribute. */
  readonly language: string
  /** Text. */
  readonly title: string
  /** HTML below the heading. */
  readonly content: string
  /** #rrggbb, of buttons. */
  readonly accent?: string | null
  /**
   * The page holds a form. Browsers hold the redirect after it to the same policy, so that other addresses
   * have
   * to be allowed, too.
   */
  readonly hasForm?: boolean
}

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** White letters have to be readable on it (WCAG 2, 4.5 to 1): a lighter accent gives way to our own. */
function isDarkEnough(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5
}

export function visitorPage({ language, title, content, accent, hasForm }: Parts): VisitorPage {
  const style = styleOf(accent && isColour(accent) && isDarkEnough(accent) ? accent : ACCENT)
  return {
    html:
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapedHtml(title)}</title>` +
      `<style>${style}</style></head><body><main><h1>${escapedHtml(title)}</h1>${content}</main></body></html>\n`,
    headers: headersOf(style, hasForm ? 'https: http:' : "'none'"),
  }
}
