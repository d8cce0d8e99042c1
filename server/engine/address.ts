// Where the engine of a folder answers, for a command beside the service: with its password, readable by the
// owner alone, as the engine's own files are.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

export const addressFile = (dataDir: string): string => resolve(dataDir, 'facts-engine.url')

/** Undefined when none runs. */
export async function findEngine(dataDir: string): Promise<string | undefined> {
  const address = await readFile(addressFile(dataDir), 'utf8').catch(() => undefined)
  if (address === undefined) return undefined
  const { origin, username, password } = new URL(address)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const asked = fetch(`${origin}/`, { method: 'POST', body: 'SELECT 1', headers: { authorization } })
  // One that was killed has left its address.
  return (await asked.then(({ ok }) => ok).catch(() => false)) ? address : undefined
}
