// Everything that signals.js and content.js send. Nothing here throws or rejects: a service that is away is none of the page's business.

/**
 * Asks without cookies, also those of a service on the page's own host.
 * @param body is sent as JSON under the type text/plain, without headers of its own: such a request needs no preflight, so it is one trip and gets out
 *   of a page that is being left. A beacon stands in where fetch does not outlive its page.
 * @returns the answer's JSON; null when there is none for whatever reason, as always with a beacon.
 */
export const ask = async <T>(url: string, init?: RequestInit, body?: object): Promise<T | null> => {
  try {
    const text = JSON.stringify(body) as string | undefined
    if (!text || 'keepalive' in Request.prototype || !navigator.sendBeacon(url, text)) {
      // Without a text there is neither method nor body: undefined is as good as not said.
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
    // No answer, then.
  }
  return null
}

/** A header's value: URI-encoded, cut, and without halves of characters, which cannot be encoded. */
export const headerValue = (text: string, mostCharacters: number): string =>
  encodeURIComponent(text.slice(0, mostCharacters).replace(/\p{Cs}/gu, ''))
