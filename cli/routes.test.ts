// `footfall routes` against the interface as the server describes it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ask, tell } from '../test/support/cli.ts'
import { operationsOf } from '../test/support/operations.ts'
import { startFootfall } from '../test/support/server.ts'

interface Listed {
  readonly method: string
  readonly url: string
  readonly access: string
  readonly summary: string
}

const footfall = await startFootfall({ after })

/** Of those that are no values yet. */
const isLater = (pattern: string): boolean => /^\/(manage|v2\/property)\//.test(pattern)

test('every route is listed with what the documentation says of it, and none that is not served', async () => {
  const description = await footfall.call('GET', '/openapi.json', { token: null })
  const served = operationsOf(description)
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, pattern }) => {
      const { summary } = description.json.paths[pattern][method.toLowerCase()]
      return { key: `${method} ${pattern}`, pattern, summary: String(summary) }
    })
  const { routes } = (await ask(['routes'], {})) as { readonly routes: readonly Listed[] }
  const keyOf = ({ method, url }: Listed) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
  const listed = new Map(routes.map((route) => [keyOf(route), route]))
  assert.equal(listed.size, routes.length, 'each is listed once')
  for (const { key, pattern, summary } of served) {
    const route = listed.get(key)
    if (!route && isLater(pattern)) continue
    assert.equal(route?.summary, summary, key)
    assert.notEqual(route.access, '', key)
    listed.delete(key)
  }
  const hidden = [...listed.values()].filter(({ url }) => url !== '/:code')
  for (const { method, url } of hidden) assert.ok(footfall.app.hasRoute({ method, url }), `${method} ${url}`)
  assert.ok(hidden.length < 10, `${hidden.length}`)
})

test('people see columns: method, URL, access and summary', async () => {
  const { out } = await tell(['routes'], {})
  assert.match(out, /^METHOD +URL +ACCESS +SUMMARY\n/)
  assert.match(out, /^GET +\/v2\/property\/links +token with shortlinks:read +List short links, newest first$/m)
  assert.match(out, /^POST +\/manage\/properties\/:property\/links\/import +admin +Check short links in CSV, /m)
  const wrong = await tell(['routes', 'all'], {})
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
})
