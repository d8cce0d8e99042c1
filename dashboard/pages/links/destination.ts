// Destinations as people type them.

/** `example.com/offers` → `https://example.com/offers`; whatever names a scheme stays as it is. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  const isPort = /^[\w.-]+:\d/.test(text)
  if (text === '' || (/^[a-z][a-z\d+.-]*:/i.test(text) && !isPort)) return text
  return `https://${text.replace(/^\/+/, '')}`
}
