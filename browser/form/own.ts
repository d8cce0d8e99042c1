// Controls shadow properties of their form: with a control named append, form.append is that control. Here it
// never is.

/**
 * The form with its own properties and methods, whatever its controls are named. Not to be passed to the
 * browser.
 */
export const ownOf = (form: HTMLFormElement): HTMLFormElement =>
  new Proxy(HTMLFormElement.prototype, {
    get(all, name) {
      const value: unknown = Reflect.get(all, name, form)
      return typeof value === 'function' ? (value.bind(form) as unknown) : value
    },
  })
