// For test/support/programs.ts and bench/processes.ts.
/** Builds only when stale. Resolves with the folder of main.js and footfall.js. */
export function buildServer(): Promise<string>
