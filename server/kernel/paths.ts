// Normalises paths of pages, and the patterns that people type to match them. Browsers percent-encode
// characters that are not allowed in a URL; some sites write the encoded letters in lower case (%c3%a9),
// which is the same path (RFC 3986, 6.2.2.1).

/**
 * Characters that never occur unencoded in a path (the WHATWG's path percent-encode set); after `#`, fewer
 * are encoded.
 */
const unlikePath = /[^!-~]+|["<>^`{}]/gu
const unlikeRoute = /[^!-~]+|["<>`]/gu

/** Writes the hexadecimal digits of percent-encoded bytes in upper case. */
export function upperEscapes(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
}

/**
 * A pattern as paths are stored: `/café` becomes `/caf%C3%A9`, and a backslash a slash. Encoded characters
 * and `*` stay.
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
