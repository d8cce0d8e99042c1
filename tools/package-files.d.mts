// For test/package.test.ts.
export const BUILD_ONLY: readonly string[]
export function runtimePackages(packages: Readonly<Record<string, object>>, arch: string): string[]
export function ownFiles(
  root: string,
  service: string,
): { readonly app: readonly string[]; readonly beside: readonly string[] }
