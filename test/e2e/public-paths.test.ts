// The libraries under names of the owner's, in Chromium: everything that a page asks goes by these names
// alone, behind a path of the owner's as well as without one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { eventually, newVisitor, openSite } from '../support/site.ts'

const PUBLIC_PATHS = [
  '/signals.js=/site/js/a.js',
  '/form.js=/site/b.js',
  '/filling.js=/site/fill',
  '/managed.js=/m.js',
  '/content.js=/site/c.js',
  '/v2/signal=/api/s',
  '/v2/form=/api/f',
  '/v2/content=/api/c',
  '/v2/lib=/api/l',
].join(',')

test('a page with renamed libraries asks by their names alone, and is measured', async (t) => {
  buildLibraries()
  const footfall = await startFootfall(t, { env: { PUBLIC_PATHS } })
  const { key } = footfall.property
  const { json } = await footfall.call('POST', `/manage/properties/${footfall.property.id}/forms`, {
    body: { name: 'Contact', kind: 'open', is_published: true, domains: ['127.0.0.1'] },
  })
  const tag = (name: string) => `<script defer src="${footfall.url}${name}" data-key="${key}"></script>`
  const form = `<form data-footfall="${json.data.form.key}"><input name="name"><button>Send</button></form>`
  const managed = '<div data-footfall-form="fk_unknown"></div>'
  const block = '<div data-footfall-content="none"></div>'
  const html = `<!doctype html><title>A page</title>${['/site/js/a.js', '/site/b.js', '/site/c.js'].map(tag).join('')}${form}${managed}${block}`
  const site = await openSite(t, { '/': { html } })
  const browser = await openBrowser(t)
  const { page, requests } = await newVisitor(t, browser)
  await page.goto(site.url)
  await page.getByRole('textbox').fill('Ann')
  await page.getByRole('button').click()
  await page.getByText('Your message has been sent').waitFor()
  const asked = () => requests.filter((url) => url.startsWith(footfall.url)).map((url) => new URL(url).pathname)
  const all = ['/m.js', '/site/fill', '/api/c/none/render']
  const missing = async () => all.filter((path) => !asked().includes(path))
  assert.deepEqual(await eventually(missing, (left) => left.length === 0), [])
  assert.deepEqual(
    asked().filter((path) => !/^\/(site|api)\/|^\/m\.js$/.test(path)),
    [],
  )
  const sessions = async (): Promise<number> =>
    (await footfall.call('POST', '/v2/property/signals/sessions', { body: { period: 'today' } })).json.total
  assert.equal(await eventually(sessions, (total) => total === 1), 1)
})

test('the dashboard shows the names that owners put on their pages', async (t) => {
  const { footfall, owner, open } = await openDashboard(t, { env: { PUBLIC_PATHS } })
  const { page } = await open(`/properties/${footfall.property.id}/start`, { as: owner })
  await page.getByText(`src="${footfall.url}/site/js/a.js"`).waitFor()
})
