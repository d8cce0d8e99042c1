// `footfall routes` against the interface as the server describes it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
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

test('every route is listed with what the documentation says of it, and none that is not served', async () => {
  const description = await footfall.call('GET', '/openapi.json', { token: null })
  const served = operationsOf(description)
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, pattern }) => {
      const { summary } = description.json.paths[pattern][method.toLowerCase()]
      return { key: `${method} ${pattern}`, summary: String(summary) }
    })
  const { routes } = (await ask(['routes'], {})) as { readonly routes: readonly Listed[] }
  const keyOf = ({ method, url }: Listed) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
  const listed = new Map(routes.map((route) => [keyOf(route), route]))
  assert.equal(listed.size, routes.length, 'each is listed once')
  for (const { key, summary } of served) {
    const route = listed.get(key)
    assert.equal(route?.summary, summary, key)
    assert.notEqual(route.access, '', key)
    listed.delete(key)
  }
  const hidden = [...listed.values()].filter(({ url }) => url !== '/:code')
  for (const { method, url } of hidden) assert.ok(footfall.app.hasRoute({ method, url }), `${method} ${url}`)
  assert.ok(hidden.length < 20, `${hidden.length}`)
})

test('people see columns: method, URL, access and summary', async () => {
  const { out } = await tell(['routes'], {})
  assert.match(out, /^METHOD +URL +ACCESS +SUMMARY\n/)
  assert.match(out, /^GET +\/v2\/property\/links +token with shortlinks:read +List short links, newest first$/m)
  assert.match(out, /^POST +\/manage\/properties\/:property\/links\/import +admin +Check short links in CSV, /m)
  const wrong = await tell(['routes', 'all'], {})
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
})

const docs = new URL('../docs/', import.meta.url)
const readPage = (name: string): string => readFileSync(new URL(name, docs), 'utf8')

test('docs/api/README.md has the same table; `npm run -s footfall -- routes --markdown` prints it', async () => {
  const { out } = await tell(['routes', '--markdown'], {})
  const page = readPage('api/README.md')
  assert.equal(page.slice(page.indexOf('| Method |')).trim(), out.trim())
})

test('whatever call a page of docs names is one of them, its method too', async () => {
  const { routes } = (await ask(['routes'], {})) as { readonly routes: readonly Listed[] }
  /** Names of parameters are the page's own. */
  const shapeOf = (url: string): string => url.replaceAll(/\{[^}]+\}|:\w+/g, '*').replace(/\?.*/, '')
  const known = routes.map(({ method, url }) => ({ method, shape: shapeOf(url) }))
  const isKnown = (method: string, url: string): boolean => {
    const [shape, isShortened] = [shapeOf(url.replace('…', '')), url.startsWith('…')]
    return known.some(
      (route) => route.method === method && (isShortened ? route.shape.endsWith(shape) : route.shape === shape),
    )
  }
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('decisions'),
  )
  const named = pages.flatMap((name) =>
    [...readPage(name).matchAll(/\b(GET|POST|DELETE) `?([/…][^\s`|,;]*)/g)].map(([, method = '', url = '']) => ({
      name,
      method,
      url,
    })),
  )
  assert.ok(named.length > 120, `${named.length}`)
  assert.deepEqual(
    named.filter(({ method, url }) => !isKnown(method, url)),
    [],
  )
})
