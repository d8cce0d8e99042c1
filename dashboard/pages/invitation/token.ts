// The token of an invitation: read from the address's fragment, kept in this tab, and never sent as part of a
// URL.
const KEY = 'footfall-invitation'

export function readToken(): string {
  const given = location.hash.slice(1)
  try {
    if (given !== '') sessionStorage.setItem(KEY, given)
    return given === '' ? (sessionStorage.getItem(KEY) ?? '') : given
  } catch {
    return given
  }
}

export function forgetToken(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // It was never kept.
  }
}
