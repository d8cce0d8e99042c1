// Everything that signals.js and content.js send. Nothing here throws or rejects: an absent service must not
// affect the page.

/**
 * Sent without cookies, even to a service on the page's own host; as JSON with the type text/plain and
 * without own headers: such a request needs no preflight, so it takes one round trip and works while the
 * page is being left. Where keepalive is not supported, a beacon replaces fetch once the page is hidden:
 * until then an answer can be waited for, and nothing could follow a load without its own.
 * @returns the answer's JSON; null when there is none, for any reason, and always with a beacon.
 */
export const post = async <T>(url: string, sent: object): Promise<T | null> => {
  try {
    const body = JSON.stringify(sent)
    if (!document.hidden || 'keepalive' in Request.prototype || !navigator.sendBeacon(url, body))
      return (await (await fetch(url, { credentials: 'omit', keepalive: true, method: 'POST', body })).json()) as T
  } catch {
    // Then there is no answer.
  }
  return null
}
