// For test/support/pseudo-language.ts and server/dashboard/public.test.ts.
/** Writes the file that the service reads. @param encode none are made of a file when it returns none */
export function packDashboard(
  built: string,
  encode?: (plain: Uint8Array) => { br?: Uint8Array; gzip?: Uint8Array },
): void
