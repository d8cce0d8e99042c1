// The signature of the form flow (docs/api/forms.md). No secret: it keeps out programs that never read the page.

/** @param key the form's for init, the token after it. In decimal digits, good today and tomorrow (UTC). */
export function signatureOf(key: string): string {
  const day = new Date()
  const text = `${day.getUTCFullYear()}${key}${day.getUTCDate()}`
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0
  return `${hash >>> 0}`
}
