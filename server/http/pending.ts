// Temporary: modules that are still being built are left out instead of keeping everything else from booting.
export async function landed<T>(path: string): Promise<T | undefined> {
  try {
    return (await import(`../${path}`)) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write(`not there yet: ${path}\n`)
    return undefined
  }
}
