// The examples, visited: the plain site with script tags, and the React app with the package as npm installs
// it. Everything that a visitor does there is with the service.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { addBlock, impressionsOf, type TestBlock } from '../support/content-calls.ts'
import { flowOf, type Form } from '../support/form-flow.ts'
import { buildLibraries, buildPackage } from '../support/libraries.ts'
import { startFootfall, type TestProperty } from '../support/server.ts'
import { eventsOf, eventually, newVisitor, viewsOf } from '../support/site.ts'

const root = new URL('../..', import.meta.url).pathname

interface Own {
  readonly service: string
  readonly key: string
  readonly form: string
  readonly content: string
}

const { exampleServer } = (await import(join(root, 'examples/serve.mjs'))) as {
  exampleServer: (own: Own, reactFolder?: string) => Server
}

buildLibraries()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })

interface Example {
  readonly property: TestProperty
  readonly form: Form
  readonly block: TestBlock
  readonly page: Page
  readonly errors: readonly string[]
  readonly url: string
}

/** What the README of the examples makes, with a visitor in front of it. */
async function openExample(t: TestContext, reactFolder?: string): Promise<Example> {
  const property = await footfall.addProperty({ domains: '["127.0.0.1"]' })
  const form = await flowOf(footfall).create(property.id, { domains: ['127.0.0.1'] })
  const html = '<h1>Faster than a postcard</h1><p><a href="/prices.html" data-cta="prices">See the prices</a></p>'
  const block = await addBlock(footfall.context.records, property.id, { versions: [{ label: 'Postcard', html }] })
  const own = { service: footfall.url, key: property.key, form: form.key, content: block.key }
  const server = exampleServer(own, reactFolder).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { page, errors } = await newVisitor(t, browser)
  return { property, form, block, page, errors, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const pathsOf = async ({ id }: TestProperty, count: number): Promise<string[]> => {
  const views = await eventually(
    () => viewsOf(footfall, id),
    (found) => found.length >= count,
  )
  return views.map(({ url }) => new URL(url).pathname)
}

const eventNames = async ({ id }: TestProperty, count: number): Promise<string[]> => {
  const events = await eventually(
    () => eventsOf(footfall, id),
    (found) => found.length >= count,
  )
  return events.map(({ name }) => name).toSorted()
}

const kindsOf = async ({ id }: TestBlock, count: number): Promise<string[]> => {
  const rows = await eventually(
    () => impressionsOf(footfall, id),
    (found) => found.length >= count,
  )
  return rows.map(({ kind }) => String(kind))
}

async function sendForm(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    await page.click(`[name=${name}]`)
    await page.keyboard.type(text, { delay: 10 })
  }
  await page.click('form button')
  await page.locator('form').waitFor({ state: 'detached' })
}

async function sentFields({ property, form }: Example): Promise<unknown> {
  const path = `/manage/properties/${property.id}/forms/${form.id}/submissions`
  const { json } = await footfall.call('GET', path, { query: { show: 'all' } })
  return json.data.data.map(({ fields }: { fields: unknown }) => fields)
}

test('the plain site: pages, an event, a click to another site, content and a form are with the service', async (t) => {
  const example = await openExample(t)
  const { property, block, page, errors, url } = example
  await page.route('https://en.wikipedia.org/**', (route) => route.fulfill({ body: 'history' }))
  await page.goto(`${url}/`)
  // Nobody reads a page and leaves it before it is counted.
  const untilCounted = () => page.waitForFunction('window.signals?.session')
  await untilCounted()
  await page.click('text=the history of mail')
  await page.goBack({ waitUntil: 'commit' })
  await page.click('text=See the prices')
  await page.waitForURL('**/prices.html')
  await untilCounted()
  await page.click('text=Order a stamp')
  await page.click('text=Contact')
  await page.waitForSelector('[name=name]')
  const fields = { name: 'Ada', email: 'ada@example.com', message: 'What is a parcel to the moon?' }
  await sendForm(page, fields)
  assert.deepEqual(await sentFields(example), [fields])
  const paths = await pathsOf(property, 4)
  assert.deepEqual(paths, ['/', '/', '/prices.html', '/contact.html'])
  assert.deepEqual(await eventNames(property, 2), ['order', 'outbound'])
  assert.ok((await kindsOf(block, 2)).includes('click'))
  assert.deepEqual(errors, [])
})

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
}

/**
 * The app with the package packed and installed as npm does it, and with this repository's React. @returns
 * the folder of what was built.
 */
function buildReactExample(t: TestContext): string {
  buildPackage()
  const folder = mkdtempSync(join(tmpdir(), 'footfall-react-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const app = join(folder, 'app')
  cpSync(join(root, 'examples/react'), app, { recursive: true, filter: (path) => !/node_modules|dist$/.test(path) })
  run(folder, 'npm', ['pack', '--silent', join(root, 'dist/package')])
  const { name, version } = JSON.parse(readFileSync(join(root, 'dist/package/package.json'), 'utf8')) as {
    name: string
    version: string
  }
  const tarball = join(folder, `${name.slice(1).replace('/', '-')}-${version}.tgz`)
  writeFileSync(join(app, 'package.json'), '{"name": "app", "private": true, "type": "module"}')
  run(app, 'npm', ['install', '--offline', '--no-audit', '--no-fund', tarball])
  mkdirSync(join(app, 'node_modules/@types'))
  for (const known of ['react', 'react-dom', 'esbuild', 'scheduler', 'csstype', '@types/react', '@types/react-dom'])
    symlinkSync(join(root, 'node_modules', known), join(app, 'node_modules', known))
  run(app, join(root, 'node_modules/.bin/tsc'), ['-p', '.'])
  run(app, process.execPath, ['build.mjs'])
  return join(app, 'dist')
}

test('the React app: navigation, an event, content and a form are with the service, and React never stumbles', async (t) => {
  const example = await openExample(t, buildReactExample(t))
  const { property, block, page, errors, url } = example
  await page.goto(`${url}/react/`)
  await page.waitForSelector('text=Faster than a postcard')
  assert.deepEqual(await kindsOf(block, 1), ['view'])
  await page.click('text=Order a stamp')
  await page.click('nav >> text=Contact')
  await page.waitForSelector('[name=name]')
  const fields = { name: 'Ada', email: 'ada@example.com', message: 'Is it green, too?' }
  await sendForm(page, fields)
  assert.deepEqual(await sentFields(example), [fields])
  await page.click('nav >> text=Start')
  await page.waitForSelector('text=Faster than a postcard')
  await pathsOf(property, 3) // what is left within a moment is no view
  await page.goBack()
  await page.waitForSelector('[name=name]')
  const paths = await pathsOf(property, 4)
  assert.deepEqual(paths, ['/react/', '/react/contact', '/react/', '/react/contact'])
  assert.deepEqual(await eventNames(property, 1), ['order'])
  assert.deepEqual(errors, [])
})
