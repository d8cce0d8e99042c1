// A share link that was opened in this tab: its bearer speaks for the visitor on the pages of that one property, and is gone with the tab.

export interface Share {
  readonly access_token: string
  readonly expires_ts: number
  readonly property: { readonly id: string; readonly name: string }
}

const KEY = 'footfall-share'
let current: Share | undefined = read()

function read(): Share | undefined {
  try {
    const share = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Share | null
    return share !== null && share.expires_ts * 1000 > Date.now() ? share : undefined
  } catch {
    return undefined
  }
}

/** The share that speaks on calls about this property. */
export function shareFor(property: string | undefined): Share | undefined {
  return current !== undefined && current.property.id === property ? current : undefined
}

export function openShare(share: Share): void {
  current = share
  try {
    sessionStorage.setItem(KEY, JSON.stringify(share))
  } catch {
    // Good until the page is loaded anew.
  }
}

export function leaveShare(): void {
  current = undefined
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // It was never kept.
  }
}
