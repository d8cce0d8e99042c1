// What was made in the page, or fetched by it, saved as a file.

const GONE_MS = 60_000

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), GONE_MS)
}

export const saveText = (name: string, words: string, type = 'text/plain'): void =>
  saveFile(name, new Blob([words], { type: `${type};charset=utf-8` }))
