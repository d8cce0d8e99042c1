// Everything the libraries send. Nothing here throws or rejects: a service that is away is none of the page's business.

/**
 * Asks without cookies, also those of a service on the page's own host.
 * @param body is sent as JSON under the type text/plain, without headers of its own: such a request needs no preflight, so it is one trip and gets out
 *   of a page that is being left. A beacon stands in where fetch does not outlive its page.
 * @returns the answer's JSON; null when there is none for whatever reason, as always with a beacon.
 */
export async function ask<T>(url: string, init?: RequestInit, body?: object): Promise<T | null> {
  try {
    const text = JSON.stringify(body)
    if (body && !('keepalive' in Request.prototype) && navigator.sendBeacon(url, text)) return null
    const sent = body && { method: 'POST', body: text }
    const answer = await fetch(url, { credentials: 'omit', keepalive: true, ...sent, ...init })
    return (await answer.json()) as T
  } catch {
    return null
  }
}

export const post = <T>(url: string, body: object): Promise<T | null> => ask<T>(url, undefined, body)

/** What the service keeps of an address; more would only make the request too large for it. */
const MOST_CHARACTERS = 2048

/** A header's value: URI-encoded, and cut. Halves of characters become the replacement character instead of an error. */
export function headerValue(text: string): string {
  return `${new URLSearchParams({ a: text.slice(0, MOST_CHARACTERS) })}`.slice(2).replace(/\+/g, '%20')
}
