// What a script tag says: where the service is and the options in its data- attributes.

export interface ScriptOptions {
  /** Address of the service without a slash at its end: `data-base`, or the folder that the script came from. */
  readonly base: string
  /** The data- attributes, `data-key` as `key`. */
  readonly data: DOMStringMap
}

/** An address in the form that paths are put behind. */
export const trimmed = (base: string): string => base.replace(/\/+$/, '')

/** Undefined when the tag cannot be found. To be called while the script runs for the first time: later nobody knows which tag it was. */
export function scriptOptions(file: string): ScriptOptions | undefined {
  const current = document.currentScript
  // An element of the page that is named currentScript stands in its place; a module or a loader leaves it empty.
  const tag = current && current.tagName === 'SCRIPT' ? current : document.querySelector(`script[src*="/${file}"]`)
  if (!tag) return undefined
  const { src, dataset } = tag as HTMLScriptElement
  return { base: trimmed(dataset['base'] || src.replace(/\/[^/]*([?#].*)?$/, '')), data: dataset }
}
