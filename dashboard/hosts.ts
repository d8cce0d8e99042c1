// Hosts as people paste them: whole addresses, one a line or with commas between.

const hostOf = (pasted: string): string =>
  pasted
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')

/** Each as the service takes it; whether it is a host is the service's to say. */
export const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(hostOf)
    .filter(Boolean)
