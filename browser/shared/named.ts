// Attributes that share a prefix, as an object: what a page says in HTML without a script of its own.

/** `data-signals-plan="pro"` with the prefix `data-signals-` is `{ plan: 'pro' }`. */
export const namedBy = (element: Element, prefix: string): Record<string, string> => {
  const named: Record<string, string> = {}
  for (const { name, value } of element.attributes) {
    const key = name.split(prefix)[1]
    if (key) named[key] = value
  }
  return named
}
