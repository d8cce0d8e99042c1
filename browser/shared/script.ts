// What a script tag says: where the service is and the options in its data- attributes.

export interface ScriptOptions {
  /** Address of the service without a slash at its end: `data-base` as it is, or the folder that the script came from. */
  readonly base: string
  /** The data- attributes, `data-key` as `key`. */
  readonly data: DOMStringMap
}

/** To be called while the script runs for the first time: later nobody knows which tag it was. Undefined in a module, which has none. */
export const scriptOptions = (): ScriptOptions | undefined => {
  const tag = document.currentScript as HTMLScriptElement | null
  // An element of the page that is named currentScript would stand in its place.
  if (tag && tag.tagName === 'SCRIPT')
    return { base: tag.dataset['base'] || tag.src.replace(/\/[^/]*$/, ''), data: tag.dataset }
  return undefined
}
