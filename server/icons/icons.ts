// An icon for a domain: its first letter on a colour, drawn here. The domain selects letter and colour and is
// never written into the image, so collected text cannot run in it.
import { hash } from 'node:crypto'
import { domainToUnicode } from 'node:url'

const UNKNOWN_LETTER = '•'

/** The first letter or digit of the domain as people read it, in upper case. */
function letterOf(domain: string): string {
  const readable = domainToUnicode(domain.toLowerCase()).replace(/^www\./, '')
  const letter = /[\p{L}\p{N}]/u.exec(readable)?.[0].toUpperCase() ?? UNKNOWN_LETTER
  return [...letter][0] ?? UNKNOWN_LETTER
}

/** Dark enough for white letters on every hue. */
function colourOf(domain: string): string {
  return `hsl(${parseInt(hash('sha256', domain).slice(0, 4), 16) % 360} 45% 38%)`
}

/** An SVG image of 32 by 32. */
export function domainIcon(domain: string): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="7" fill="${colourOf(domain)}"/>` +
    '<text x="16" y="22" text-anchor="middle" font-family="system-ui, sans-serif" font-size="17" font-weight="600" fill="#fff">' +
    `${letterOf(domain)}</text></svg>`
  )
}
