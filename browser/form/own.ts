// A form answers by the names of its controls: with a control called append, form.append is that control. Here it never is.

/** The form as every form is: what its properties and methods are, whatever its controls are called. Not to be handed to the browser. */
export const ownOf = (form: HTMLFormElement): HTMLFormElement =>
  new Proxy(HTMLFormElement.prototype, {
    get(all, name) {
      const value: unknown = Reflect.get(all, name, form)
      return typeof value === 'function' ? (value.bind(form) as unknown) : value
    },
  })
