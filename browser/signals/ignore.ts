// The owner's own visits: not counted in a browser that was told so. This is the one thing that is ever stored, and only where somebody asked for it.

/** `?signals=off` in a page's address leaves this browser out for good, `?signals=on` brings it back. */
export function isIgnored(): boolean {
  try {
    const [, choice] = /[?&]signals=(on|off)\b/.exec(location.search) || []
    if (choice) localStorage['signals'] = choice
    return localStorage['signals'] === 'off'
  } catch {
    return false // no storage: nothing can have been asked for
  }
}
