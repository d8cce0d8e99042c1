// Everything that signals.js and content.js send. Nothing here throws or rejects: an absent service must not
// affect the page.

/**
 * Sends without cookies, even to a service on the page's own host.
 * @param body is sent as JSON with the type text/plain and without own headers: such a request needs no
 * preflight, so it takes one round trip and works while the page is being left. A beacon replaces fetch where
 * keepalive is not supported.
 * @returns the answer's JSON; null when there is none, for any reason, and always with a beacon.
 */
export const ask = async <T>(url: string, init?: RequestInit, body?: object): Promise<T | null> => {
  try {
    const text = JSON.stringify(body) as string | undefined
    if (!text || 'keepalive' in Request.prototype || !navigator.sendBeacon(url, text)) {
      // Without a body there is neither method nor body: undefined counts as absent.
      return (await (
        await fetch(url, {
          credentials: 'omit',
          keepalive: true,
          method: text && 'POST',
          body: text,
          ...init,
        } as object)
      ).json()) as T
    }
  } catch {
    // Then there is no answer.
  }
  return null
}

/** A header's value: URI-encoded, cut, and without halves of characters, which cannot be encoded. */
export const headerValue = (text: string, mostCharacters: number): string =>
  encodeURIComponent(text.slice(0, mostCharacters).replace(/\p{Cs}/gu, ''))
