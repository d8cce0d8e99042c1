// Reads a script tag: the URL of the service and the options in its data- attributes.

/** The data- attributes, `data-key` as `key`. */
export interface ScriptOptions extends DOMStringMap {
  /**
   * URL of the service without a trailing slash: `data-base` as it is, or the folder that the script came
   * from.
   */
  base: string
}

/**
 * Must be called while the script first runs: later its tag is unknown. Undefined in a module, which has
 * none.
 */
export const scriptOptions = (): ScriptOptions | undefined => {
  const tag = document.currentScript as HTMLScriptElement | null
  // An element of the page named currentScript would shadow it.
  if (tag && tag.tagName === 'SCRIPT') return { base: tag.src.replace(/\/[^/]*$/, ''), ...tag.dataset }
  return undefined
}
