// Keys as they are printed on keyboards, in the reader's language.
import { common } from './texts/index.ts'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** @param key of a shortcut (keys.ts). @returns its keys in the order in which they are pressed. */
export function printedKeys(key: string): readonly string[] {
  if (key === 'escape') return [common.keys.escape]
  if (key.startsWith('mod+'))
    return [`${isMac ? '⌘' : `${common.keys.control} `}${key.slice('mod+'.length).toUpperCase()}`]
  return key.split(' ').map((one) => one.toUpperCase())
}
