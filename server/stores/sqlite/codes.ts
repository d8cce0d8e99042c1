// The codes by which SQLite says why a statement failed.

export const BUSY = 5

/** The primary code is the low byte; 0 for what is no error of SQLite. */
export const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 255 : 0
