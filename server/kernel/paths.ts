// Paths of pages as they are collected, and what people type to be compared with them. Browsers percent-encode what may not stand in an
// address; some sites write the encoded letters small (%c3%a9), which is the same path (RFC 3986, 6.2.2.1).

/** What stands in no path as it is collected (the WHATWG's path percent-encode set); behind `#`, fewer signs are encoded. */
const unlikePath = /[^!-~]+|["<>^`{}]/gu
const unlikeRoute = /[^!-~]+|["<>`]/gu

/** The hexadecimal digits of percent-encoded bytes as capitals. */
export function upperEscapes(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
}

/**
 * A pattern as paths are collected: `/café` becomes `/caf%C3%A9`, and a backslash a slash. What is encoded already stays, and so does `*`.
 * @param pattern well-formed text.
 */
export function collectedPattern(pattern: string): string {
  const [path = '', ...routes] = pattern.split('#')
  const encoded = [
    path.replaceAll('\\', '/').replace(unlikePath, encodeURIComponent),
    ...routes.map((route) => route.replace(unlikeRoute, encodeURIComponent)),
  ]
  return upperEscapes(encoded.join('#'))
}
