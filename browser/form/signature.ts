// The signature of the form flow (docs/api/forms.md). Not secret: it keeps out programs that never read the
// page.

/** @param key the form's for init, the token after it. In decimal digits, valid today and tomorrow (UTC). */
export function signatureOf(key: string): number {
  const day = new Date()
  const text = day.getUTCFullYear() + key + day.getUTCDate()
  let hash = 0
  // Keys are ASCII.
  for (const sign of text) hash = (hash * 31 + sign.charCodeAt(0)) | 0
  return hash >>> 0
}
