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

test('every endpoint is listed with what the documentation says of it, and none that is not served', async () => {
  const description = await footfall.call('GET', '/openapi.json', { token: null })
  const served = new Set(operationsOf(description).map(({ method, pattern }) => `${method} ${pattern}`))
  const { routes } = (await ask(['routes'], {})) as { readonly routes: readonly Listed[] }
  assert.ok(routes.length > 15, `${routes.length}`)
  for (const { method, url, access, summary } of routes) {
    const pattern = url.replaceAll(/:(\w+)/g, '{$1}')
    assert.ok(served.has(`${method} ${pattern}`), `${method} ${pattern}`)
    assert.equal(description.json.paths[pattern][method.toLowerCase()].summary, summary)
    assert.notEqual(access, '', pattern)
  }
})

test('people see columns: method, URL, access and summary', async () => {
  const { out } = await tell(['routes'], {})
  assert.match(out, /^METHOD +URL +ACCESS +SUMMARY\n/)
  assert.match(out, /^GET +\/v2\/property\/links +token with shortlinks:read +List short links, newest first$/m)
  assert.match(out, /^POST +\/manage\/properties\/:property\/links\/import +admin +Check short links in CSV, /m)
  const wrong = await tell(['routes', 'all'], {})
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
})
