/** The browser asks to save data: the reader pays for it, or chose so. */
export function savesData(): boolean {
  const { connection }: { connection?: { readonly saveData?: boolean } } = navigator as object
  return connection?.saveData === true
}
