// Destinations as people paste them, one a line, made the file that the service takes. A file with a header stays as it is.

const hasHeader = (text: string): boolean =>
  /destination[ _]url/i.test(text.trimStart().split(/\r\n|\r|\n/, 1)[0] ?? '')

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** '' for nothing. */
export function csvOf(text: string): string {
  if (text.trim() === '' || hasHeader(text.replace(/^\ufeff/, ''))) return text
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  return `${['destination_url', ...lines.map(quoted)].join('\n')}\n`
}
