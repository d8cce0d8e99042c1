// On PostgreSQL, which takes no NUL character in any text: ids that nobody gave out, in every place of every
// address, are not found. Never a 500.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addPerson } from './support/accounts.ts'
import { openChance } from './support/chance.ts'
import { exampleOf, type Making } from './support/examples.ts'
import { operationsOf } from './support/operations.ts'
import { startPostgres } from './support/postgres.ts'
import { type Footfall, startFootfall } from './support/server.ts'

const postgres = await startPostgres({ after })
const STRANGE = 'a%00b'
/** In the middle of a second. */
const NOW = Date.UTC(2026, 10, 18, 6) + 123

/** Each place of an address alone, and all of them. */
function pathsOf(pattern: string, propertyId: string): string[] {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const usual = (name: string): string => (name === 'property' ? propertyId : 'nothing')
  return [...names, undefined].map((strange) =>
    pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      strange === undefined || strange === name ? STRANGE : usual(name),
    ),
  )
}

async function faultsOf(footfall: Footfall): Promise<string[]> {
  const { id } = await footfall.addProperty()
  const owner = await addPerson(footfall, { isOwner: true })
  // Bodies that may be taken: what is refused for its body never gets to the look-up.
  const making: Making = { chance: openChance(1), idOf: () => 'nothing' }
  const faults: string[] = []
  for (const { method, pattern, body } of operationsOf(await footfall.call('GET', '/openapi.json'))) {
    if (!/^\/(?:manage|v2\/property)\/.*\{/.test(pattern)) continue
    footfall.clock.advance(60_000)
    for (const path of pathsOf(pattern, id)) {
      const headers = { 'x-footfall-property': id }
      const sent = body ? { body: exampleOf(body, '', making) } : {}
      const { status } = await owner.call(method, path, { headers, ...sent })
      if (status >= 500) faults.push(`${method} ${path}: ${status}`)
    }
  }
  return faults
}

if (postgres) {
  test('an id that PostgreSQL does not take is not found', async (t) => {
    const footfall = await startFootfall(t, { now: NOW, env: { DATABASE_URL: await postgres.freshUrl() } })
    assert.deepEqual(await faultsOf(footfall), [])
  })

  test('a member is invited on PostgreSQL too, in the middle of a second', async (t) => {
    const footfall = await startFootfall(t, { now: NOW, env: { DATABASE_URL: await postgres.freshUrl() } })
    const { id } = await footfall.addProperty()
    const body = { email: 'nina@example.com', role: 'viewer' }
    const reply = await footfall.call('POST', `/manage/properties/${id}/members`, { body })
    assert.equal(reply.status, 200, reply.text)
  })
}
