// The styles of managed forms: system colours, so that the browser provides both palettes and high contrast.
import type { Blueprint } from '../managed.ts'

/** `all` stops inherited styles of the page, except variables: `dress` sets each one that is used here. */
export const css = `.b{all:initial;display:block;padding:1em;color:CanvasText;background:Canvas;border-radius:var(--r);font-size:16px;line-height:1.4}
.b *{box-sizing:border-box}
form,.step{display:grid;gap:var(--g);grid-template-columns:repeat(auto-fit,minmax(min(100%,12em),1fr))}
form>*,.step>*{grid-column:1/-1;margin:0}
[hidden]{display:none}
h3{outline:0;font-size:1em}
.half{grid-column:auto}
label,legend{display:block;padding:0}
small,.footfall-note,.footfall-branding{display:block;font-size:.875em}
fieldset{border:0;padding:0}
input,select,textarea,button{font:inherit;padding:.5em;border:1px solid GrayText;border-radius:var(--r)}
:not(.box)>input,select,textarea{width:100%}
[aria-invalid=true]{border:2px solid #d93025}
.footfall-note{font-weight:600}
button{border-color:#0000;padding:.6em 1.2em;justify-self:start;background:var(--a);color:var(--t);cursor:pointer}
[aria-busy=true] button{opacity:.6}
.back{background:0;color:inherit;border-color:currentcolor}
dialog{border:0;border-radius:var(--r);max-width:40em;width:90%}
.close{float:right}
a{color:inherit}`

const fonts: Readonly<Record<string, string>> = { system: 'system-ui,sans-serif', serif: 'serif', mono: 'monospace' }

/** The relative luminance (WCAG) above which black is easier to read on a colour than white. */
const LIGHT = 0.18

function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2) as [
    number,
    number,
    number,
  ]
  return red * 0.2126 + green * 0.7152 + blue * 0.0722
}

export function dress(box: HTMLElement, { theme, website_theme }: Blueprint): void {
  const { radius_px, font, density } = theme
  const accent = theme.accent || '#0b57d0'
  const { style } = box
  box.className = 'b'
  style.colorScheme = website_theme === 'auto' ? 'light dark' : website_theme
  style.fontFamily = fonts[font] || 'inherit'
  style.setProperty('--r', `${radius_px}px`)
  style.setProperty('--g', density === 'compact' ? '.5em' : '1em')
  style.setProperty('--a', accent)
  style.setProperty('--t', luminanceOf(accent) > LIGHT ? '#000' : '#fff')
}
