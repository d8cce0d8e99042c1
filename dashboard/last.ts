// The property that was looked at last in this browser: where the dashboard opens.
const KEY = 'footfall-property'

export function lastProperty(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function noteProperty(id: string): void {
  try {
    localStorage.setItem(KEY, id)
  } catch {
    // Then it opens with the first one.
  }
}
