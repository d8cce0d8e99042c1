// The names in the hosts file of this machine, which come before what any name server answers. Read again
// when the file has changed.
import { readFileSync, statSync } from 'node:fs'

/** Addresses of each name in lower case, in the order of the file. */
function namesIn(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (address === undefined || address === '') continue
    for (const alias of aliases.map((one) => one.toLowerCase())) {
      const addresses = names.get(alias)
      if (addresses === undefined) names.set(alias, [address])
      else if (!addresses.includes(address)) addresses.push(address)
    }
  }
  return names
}

/**
 * The addresses of a name in lower case; none when it is not in the file, or there is no file that can be
 * read.
 */
export function openHosts(file: string): (name: string) => readonly string[] {
  let names = new Map<string, string[]>()
  let version = ''
  /** At once, without a thread: those may be taken. The file is small, or at least seldom changes. */
  const refresh = (): void => {
    const { mtimeMs, size, ino } = statSync(file)
    const current = `${mtimeMs} ${size} ${ino}`
    if (current === version) return
    names = namesIn(readFileSync(file, 'utf8'))
    version = current
  }
  return (name) => {
    try {
      refresh()
    } catch {
      return []
    }
    return names.get(name) ?? []
  }
}
