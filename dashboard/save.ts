// What was made in the page, saved as a file.

const GONE_MS = 60_000

export function saveText(name: string, words: string): void {
  const url = URL.createObjectURL(new Blob([words], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), GONE_MS)
}
