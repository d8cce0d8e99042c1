// What a script tag says: where the service is and the options in its data- attributes.

/** The data- attributes, `data-key` as `key`. */
export interface ScriptOptions extends DOMStringMap {
  /** Address of the service without a slash at its end: `data-base` as it is, or the folder that the script came from. */
  base: string
}

/** To be called while the script runs for the first time: later nobody knows which tag it was. Undefined in a module, which has none. */
export const scriptOptions = (): ScriptOptions | undefined => {
  const tag = document.currentScript as HTMLScriptElement | null
  // An element of the page that is named currentScript would stand in its place.
  if (tag && tag.tagName === 'SCRIPT') return { base: tag.src.replace(/\/[^/]*$/, ''), ...tag.dataset }
  return undefined
}
