// Sends requests of a form while its page is open, so the methods for leaving a page (shared/send.ts) are not
// needed.

/** Without cookies. @returns the answer's JSON; null when there is none, for any reason. */
export const post = async <T>(url: string, body: object, more?: RequestInit): Promise<T | null> => {
  try {
    const answer = await fetch(url, { credentials: 'omit', body: JSON.stringify(body), method: 'POST', ...more })
    return (await answer.json()) as T
  } catch {
    return null
  }
}
