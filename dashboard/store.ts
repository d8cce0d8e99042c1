// A value with listeners: parts of the page follow it from wherever it is set.

export interface Store<Value> {
  readonly set: (value: Value) => void
  readonly get: () => Value
  /** @returns how to stop listening. */
  readonly subscribe: (listener: () => void) => () => void
}

export function openStore<Value>(initial: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
