// The token of an invitation: from behind # of the address, kept in this tab while its owner signs in, and never part of what is asked of a server.
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
