// Everything the libraries send. Nothing here throws or rejects: a service that is away is none of the page's business.

/** No answer in time, no JSON, no network, blocked: all the same to a page. */
const NOTHING = null

/** Asks without cookies, also those of a service on the page's own host. @returns the answer's JSON, null when there is none. */
export async function ask<T>(url: string, init: RequestInit): Promise<T | null> {
  try {
    const answer = await fetch(url, { credentials: 'omit', keepalive: true, ...init })
    return (await answer.json()) as T
  } catch {
    return NOTHING
  }
}

/**
 * Sends `body` as JSON under the type text/plain, without headers of its own: such a request needs no preflight, so it is one trip and gets out of a page
 * that is being left. A beacon stands in where fetch does not outlive its page.
 * @returns the answer's JSON; null when there is none, as always with a beacon.
 */
export function post<T>(url: string, body: object): Promise<T | null> {
  const text = JSON.stringify(body)
  const outlives = typeof Request === 'function' && 'keepalive' in Request.prototype
  if (!outlives && navigator.sendBeacon && navigator.sendBeacon(url, text)) return Promise.resolve(NOTHING)
  return ask<T>(url, { method: 'POST', body: text })
}

/** A header's value: URI-encoded, at most `most` characters before that. Halves of characters become the replacement character instead of an error. */
export function headerValue(text: string, most: number): string {
  return String(new URLSearchParams({ a: text.slice(0, most) }))
    .slice(2)
    .replace(/\+/g, '%20')
}
