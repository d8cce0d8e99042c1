// Hosts as people paste them: whole URLs, with ports or without, one per line or with commas between.
import { withoutPort } from '../server/kernel/ports.ts'

const hostOf = (pasted: string): string =>
  withoutPort(
    pasted
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/[/?#].*$/, ''),
  )

/** Each as the service takes it; whether it is a host is the service's to say. */
export const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(hostOf)
    .filter(Boolean)
