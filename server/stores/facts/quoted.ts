// Text inside statements of ClickHouse, where no parameter can stand.

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A string literal of ClickHouse. */
export function quoted(text: string): string {
  return `'${text.toWellFormed().replace(/[\\'\0\b\f\n\r\t]/g, (letter) => escapes[letter]!)}'`
}
