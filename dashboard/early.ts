// What begin.js has asked before the code of the page was there. An answer is used once, for the same
// question, soon after the page was opened, and only until something was done: from then on it may be old, or
// another person's.

interface Early {
  readonly answer: Promise<Response>
  readonly controller: AbortController
}

declare global {
  interface Window {
    footfallEarly?: Map<string, Early>
  }
}

/** Later the answer says what was true then. */
const FRESH_MS = 10_000

export function dropEarly(): void {
  window.footfallEarly?.clear()
  delete window.footfallEarly
}

/**
 * Undefined when it has to be asked. Ends when `signal` does.
 * @param url with the path of the service, as fetch takes it
 */
export async function takeEarly(url: string, { method, body, signal }: RequestInit): Promise<Response | undefined> {
  const key = `${method} ${url} ${typeof body === 'string' ? body : ''}`
  const early = window.footfallEarly?.get(key)
  window.footfallEarly?.delete(key)
  // Nothing left, or not begun: from here on the page asks by itself.
  if (window.footfallEarly?.size === 0) delete window.footfallEarly
  if (!early || performance.now() > FRESH_MS) return undefined
  signal?.addEventListener('abort', () => early.controller.abort(signal.reason))
  const answer = await early.answer
  return answer.ok ? answer : undefined
}
