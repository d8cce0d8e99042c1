// <script defer src="…/form.js">: handles the forms that name a key, present and future ones.
import type { openFilling } from '../filling.ts'
import { openForms } from '../form/forms.ts'
import type { Page } from '../form/session.ts'
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
  /**
   * A file of the service, by a name that PUBLIC_PATHS replaces. Undefined when it cannot be loaded in the
   * time that anybody waits.
   */
  const load = (name: string, given?: object): ReturnType<Page['filling']> =>
    new Promise<typeof openFilling | undefined>((resolve) => {
      const longestMs = 15_000
      const script: HTMLScriptElement & { openFilling?: typeof openFilling } = document.createElement('script')
      const onload = (): void => resolve(script.openFilling)
      setTimeout(onload, longestMs)
      document.head.append(Object.assign(script, { nonce, src: `${base}/${name}`, onload, onerror: onload }, given))
    }).catch(() => undefined)
  let filling: ReturnType<Page['filling']> | undefined
  const getFilling: Page['filling'] = () => (filling = filling || load('filling.js'))
  if ('style' in options) void load('notes.js')
  openForms({ base, key: key || signals().key, session: () => signals().session }, getFilling).watch((forms) => {
    // Most pages have no managed form, and need not load how one is drawn.
    void load('managed.js', { forms })
  })
}
