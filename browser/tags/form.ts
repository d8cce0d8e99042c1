// <script defer src="…/form.js">: takes care of the forms that name a key, whenever they come into the page.
import { createForms } from '../form.ts'
import { scriptOptions } from '../shared/script.ts'

/** signals.js of the same page. */
interface Standing {
  readonly key?: string
  readonly session?: string | null
}

const options = scriptOptions()
if (options) {
  const { base, key, signals: name = 'signals' } = options
  const { nonce } = document.currentScript as HTMLScriptElement
  const signals = (): Standing => (window as unknown as Record<string, Standing | undefined>)[name] || {}
  createForms({ base, key: key || signals().key, session: () => signals().session }).watch((forms) => {
    // Most pages have no managed form, and need not load how one is drawn.
    const script = document.createElement('script')
    document.head.append(Object.assign(script, { forms, nonce, src: `${base}/managed.js` }))
  })
}
