// Keyboard shortcuts: pages add theirs while they are shown, `?` lists them, and typing never triggers one.
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

export interface Shortcut {
  /**
   * As KeyboardEvent.key gives it, in lower case: 'd', '/', '?', 'escape'. Two keys after each other have a
   * space between them, 'g l'; 'mod+k' is K with Ctrl, or with ⌘ on a Mac.
   */
  readonly key: string
  /** What it does, for the list; without it the list leaves the shortcut out. */
  readonly label?: string
  /** Under which words it stands in the list. */
  readonly group?: string
  readonly run: (event: KeyboardEvent) => void
}

type Registration = { current: readonly Shortcut[] }

const registrations = new Set<Registration>()
const listeners = new Set<() => void>()
let snapshot: readonly Shortcut[] = []

function changed(): void {
  snapshot = [...registrations].flatMap(({ current }) => current)
  for (const listener of listeners) listener()
}

const KEPT = 'footfall-keys'
let areOn = readOn()

function readOn(): boolean {
  try {
    return localStorage.getItem(KEPT) !== 'off'
  } catch {
    return true
  }
}

/**
 * Keys that are letters and digits can be turned off, for speech input and accidental presses. Escape always
 * works.
 */
export function setKeysOn(isOn: boolean): void {
  areOn = isOn
  try {
    if (isOn) localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, 'off')
  } catch {
    // Good for this page alone.
  }
  for (const listener of listeners) listener()
}

const isLetter = (key: string): boolean => key.length === 1 || key.includes(' ')
const isHeard = (key: string): boolean => areOn || !isLetter(key)

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}

/** While a dialog or a menu is open the page behind it does not listen. */
const isCovered = (): boolean =>
  document.querySelector('dialog[open], [popover]:popover-open:not([role=tooltip])') !== null

/** After this time a first key waits no longer for its second one. */
const SECOND_KEY_MS = 1500
let first = { key: '', at: 0 }

/** What was pressed: with the first key of two before it, and by itself. */
function pressedKeys(event: KeyboardEvent): readonly string[] {
  const key = event.key.toLowerCase()
  const before = event.timeStamp - first.at < SECOND_KEY_MS ? first.key : ''
  first = { key: '', at: 0 }
  if (event.ctrlKey || event.metaKey) return [`mod+${key}`]
  return before === '' ? [key] : [`${before} ${key}`, key]
}

function onKeyDown(event: KeyboardEvent): void {
  // A modifier by itself is not the second key.
  if (event.defaultPrevented || event.altKey || event.isComposing || event.key === 'Shift') return
  const keys = pressedKeys(event).filter(isHeard)
  const isInText = isTyping(event.target) && !event.ctrlKey && !event.metaKey
  if (isInText || isCovered()) return
  const all = [...registrations].toReversed().flatMap(({ current }) => current)
  const found = keys.flatMap((key) => all.find((shortcut) => shortcut.key === key) ?? [])[0]
  const begun = keys.find((key) => all.some((shortcut) => shortcut.key.startsWith(`${key} `)))
  if (!found && begun === undefined) return
  event.preventDefault()
  if (found) found.run(event)
  else first = { key: begun ?? '', at: event.timeStamp }
}

function listen(): () => void {
  if (registrations.size === 1) document.addEventListener('keydown', onKeyDown)
  return () => {
    if (registrations.size === 0) document.removeEventListener('keydown', onKeyDown)
  }
}

/** Adds shortcuts while the component is shown; the last one added wins. */
export function useKeys(shortcuts: readonly Shortcut[]): void {
  const registration = useRef<readonly Shortcut[]>(shortcuts)
  // What the list shows; functions are new at each rendering, and read when a key is pressed.
  const names = shortcuts.map(({ key, label, group }) => `${key}\n${label}\n${group}`).join('\n\n')
  // Before the next key can be pressed: what it runs must know what the last one has changed.
  useLayoutEffect(() => {
    registration.current = shortcuts
  })
  useLayoutEffect(() => {
    registrations.add(registration)
    const unlisten = listen()
    changed()
    return () => {
      registrations.delete(registration)
      unlisten()
      changed()
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the list is told when its words change
  }, [names])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Every shortcut of what is shown now. */
export const useShortcuts = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => snapshot)

/** Whether letters and digits do anything. */
export const useAreKeysOn = (): boolean => useSyncExternalStore(subscribe, () => areOn)
