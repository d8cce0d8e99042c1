// The look of notes beside fields, for pages that ask for it: red, with a sign in front. In a sheet that a
// script constructs, which no style-src of the page forbids.

/**
 * Rules of a page win that say more than one class: `form .footfall-note`. `light-dark` goes by the
 * color-scheme of the page; browsers before 2024 have the red for white pages.
 */
const css = `.footfall-note:where(:not(:empty)){display:block;margin:.25em 0 0;font-size:.875em;line-height:1.4;color:var(--footfall-error,#b3261e)}
.footfall-note:where(:not(:empty))::before{content:"!";content:"!"/"";display:inline-block;box-sizing:border-box;width:1.4em;height:1.4em;margin-inline-end:.4em;border:.1em solid;border-radius:50%;line-height:1.2;font-weight:700;text-align:center}
:where([data-footfall]) [aria-invalid=true]{border-color:var(--footfall-error,#b3261e)}
@supports(color:light-dark(red,red)){.footfall-note:where(:not(:empty)){color:var(--footfall-error,light-dark(#b3261e,#ff9c93))}:where([data-footfall]) [aria-invalid=true]{border-color:var(--footfall-error,light-dark(#b3261e,#ff9c93))}}`

/**
 * Styles the notes of all forms of the document. @param nonce of a script of the page, for browsers that
 * cannot construct sheets (Safari before 16.4).
 */
export function styleNotes(nonce = ''): void {
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  } catch {
    document.head.append(Object.assign(document.createElement('style'), { nonce, textContent: css }))
  }
}
