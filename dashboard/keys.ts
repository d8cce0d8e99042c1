// Keyboard shortcuts: pages add theirs while they are shown, `?` lists them, and typing never triggers one.
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

export interface Shortcut {
  /** As KeyboardEvent.key gives it, in lower case: 'd', '/', '?', 'escape'. */
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

/** Single-character keys can be turned off, for speech input and accidental presses. Escape always works. */
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

const isHeard = (key: string): boolean => areOn || key.length > 1

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}

/** While a dialog or a menu is open the page behind it does not listen. */
const isCovered = (): boolean =>
  document.querySelector('dialog[open], [popover]:popover-open:not([role=tooltip])') !== null

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  const key = event.key.toLowerCase()
  if (!isHeard(key) || isTyping(event.target) || isCovered()) return
  const found = [...registrations]
    .toReversed()
    .flatMap(({ current }) => current)
    .find((shortcut) => shortcut.key === key)
  if (!found) return
  event.preventDefault()
  found.run(event)
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

/** Whether keys of one character do anything. */
export const useAreKeysOn = (): boolean => useSyncExternalStore(subscribe, () => areOn)
