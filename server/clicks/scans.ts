// Scans: clicks through a QR code. The code holds the short URL with a query that nobody types; the redirect
// drops it like any other query, and the click remembers it.

const MARK = 'qr'

/** What the QR code of a short URL says. */
export const scanUrlOf = (shortUrl: string): string => `${shortUrl}?${MARK}`

/** @param url path and query, as they were asked for. */
export function isScanUrl(url: string): boolean {
  const at = url.indexOf('?')
  // Messengers and agencies append values of their own, and some write an empty value out.
  return (
    at !== -1 &&
    url
      .slice(at + 1)
      .split('&')
      .some((pair) => pair === MARK || pair === `${MARK}=`)
  )
}
