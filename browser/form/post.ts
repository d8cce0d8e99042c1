// What a form sends: while its page is there, so that none of the ways out of a page that is left (shared/send.ts) is needed.

/** Without cookies. @returns the answer's JSON; null when there is none for whatever reason. */
export const post = async <T>(url: string, body: object, more?: RequestInit): Promise<T | null> => {
  try {
    const answer = await fetch(url, { credentials: 'omit', body: JSON.stringify(body), method: 'POST', ...more })
    return (await answer.json()) as T
  } catch {
    return null
  }
}
