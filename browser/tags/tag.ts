// For tag managers, which can load a script but give it no attributes: adds signals.js with those that the
// page has put into `footfallTag`, as `{ key: 'ff_…', outbound: '' }`.
import { scriptOptions } from '../shared/script.ts'

declare const window: { readonly footfallTag?: Readonly<Record<string, string>> }

const own = scriptOptions()
const { footfallTag: given } = window
if (own && given && given['key']) {
  const { base } = own
  const script = document.createElement('script')
  for (const name of Object.keys(given)) script.setAttribute(`data-${name}`, given[name] as string)
  script.nonce = (document.currentScript as HTMLScriptElement).nonce
  script.src = `${base}/signals.js`
  document.head.append(script)
}
