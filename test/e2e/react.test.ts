// @footfall/react as npm installs it, in an app in Chromium: page views, events, content and forms are with
// the service, in StrictMode and after the server has rendered it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { addBlock, impressionsOf } from '../support/content-calls.ts'
import { flowOf } from '../support/form-flow.ts'
import { buildLibraries, buildPackage } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { eventsOf, eventually, newVisitor, openSite, viewsOf } from '../support/site.ts'

const root = new URL('../..', import.meta.url).pathname
buildLibraries()
buildPackage()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })

/** Written as somebody would who has read the guide. */
const app = `
import { Block, Footfall, Form, ManagedForm, useEvent } from '@footfall/react'
import { StrictMode, useState } from 'react'

export interface Own { readonly base: string; readonly siteKey: string; readonly form: string; readonly managed: string; readonly block: string }

export function App({ own }: { own: Own }) {
  const [page, setPage] = useState('start')
  const [said, setSaid] = useState('')
  const event = useEvent()
  const go = (next: string) => { history.pushState(null, '', '/' + next); setPage(next) }
  return (
    <StrictMode>
      <Footfall siteKey={own.siteKey} base={own.base} vitals props={{ plan: 'pro' }} />
      <button onClick={() => go('contact')}>Contact</button>
      <button onClick={() => go('start')}>Start</button>
      <p id="said">{said}</p>
      {page === 'start' ? (
        <>
          <Block name={own.block} fallback="<h1>Before</h1>" onShown={({ detail }) => setSaid('shown ' + detail?.version_label)} />
          <button onClick={() => void event('order', 'stamp', { colour: 'red' })}>Order</button>
          <ManagedForm form={own.managed} />
        </>
      ) : (
        <Form form={own.form} className="own" onSent={(sent) => { sent.preventDefault(); setSaid('sent ' + sent.detail.original['name']) }}>
          <input name="name" required />
          <input name="email" type="email" required />
          <textarea name="message" />
          <button>Send</button>
        </Form>
      )}
    </StrictMode>
  )
}
`
const client = `
import { hydrateRoot } from 'react-dom/client'
import { App } from './app'
const { own } = window as unknown as { own: Parameters<typeof App>[0]['own'] }
hydrateRoot(document.getElementById('app')!, <App own={own} />)
`
const server = `
import { renderToString } from 'react-dom/server'
import { App } from './app'
process.stdout.write(renderToString(<App own={JSON.parse(process.argv[2] ?? '{}')} />))
`

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 240_000 })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
  return stdout
}

/** A project that has installed both packed packages, and this repository's React. */
function installApp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-react-package-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const site = join(folder, 'site')
  mkdirSync(site)
  const packed = ['package', 'package-react'].map((name) => {
    const out = run(folder, 'npm', ['pack', '--silent', join(root, 'dist', name)])
    return join(folder, out.trim().split('\n').at(-1) ?? '')
  })
  writeFileSync(join(site, 'package.json'), '{"name": "site", "private": true, "type": "module"}')
  run(site, 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', ...packed])
  mkdirSync(join(site, 'node_modules/@types'))
  for (const known of ['react', 'react-dom', 'esbuild', 'scheduler', 'csstype'])
    symlinkSync(join(root, 'node_modules', known), join(site, 'node_modules', known))
  for (const known of ['react', 'react-dom', 'node'])
    symlinkSync(join(root, 'node_modules/@types', known), join(site, 'node_modules/@types', known))
  for (const [name, text] of Object.entries({ 'app.tsx': app, 'client.tsx': client, 'server.tsx': server }))
    writeFileSync(join(site, name), text)
  return site
}

const site = installApp()

test('the components are typed: an app in strict TypeScript is accepted, and a wrong prop is not', () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    jsx: 'react-jsx',
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    exactOptionalPropertyTypes: true,
  }
  writeFileSync(
    join(site, 'wrong.tsx'),
    `import { Form } from '@footfall/react'\n// @ts-expect-error -- no form\nexport const wrong = <Form />\n`,
  )
  writeFileSync(join(site, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.tsx'] }))
  run(site, join(root, 'node_modules/.bin/tsc'), ['-p', '.'])
})

test('views, an event, a block and forms are with the service, after the server has rendered it', async (t) => {
  const property = await footfall.addProperty({ domains: '["127.0.0.1"]' })
  const flow = flowOf(footfall)
  const form = await flow.create(property.id, { domains: ['127.0.0.1'] })
  const managed = await flow.create(property.id, {
    domains: ['127.0.0.1'],
    kind: 'managed',
    fields: [{ name: 'email', type: 'email', label: 'Your email' }],
  })
  const block = await addBlock(footfall.context.records, property.id, {
    versions: [{ label: 'Postcard', html: '<h1>Faster than a postcard</h1>' }],
  })
  const own = { base: footfall.url, siteKey: property.key, form: form.key, managed: managed.key, block: block.key }
  const esbuild = join(root, 'node_modules/.bin/esbuild')
  const options = ['--bundle', '--format=esm', '--jsx=automatic']
  run(site, esbuild, ['client.tsx', ...options, '--outdir=out', '--splitting', '--minify'])
  run(site, esbuild, [
    'server.tsx',
    '--bundle',
    '--jsx=automatic',
    '--platform=node',
    '--format=cjs',
    '--outfile=server.cjs',
  ])
  const rendered = run(site, process.execPath, ['server.cjs', JSON.stringify(own)])
  assert.match(rendered, /<h1>Before<\/h1>/)
  const script = readFileSync(join(site, 'out/client.js'), 'utf8')
  const shell = `<!doctype html><title>App</title><div id="app">${rendered}</div><script>window.own = ${JSON.stringify(own)}</script><script type="module" src="/client.js"></script>`
  const pages = Object.fromEntries(['/', '/start', '/contact'].map((path) => [path, { html: shell }]))
  const { readdirSync } = await import('node:fs')
  const scripts = Object.fromEntries(
    readdirSync(join(site, 'out')).map((name) => [
      `/${name}`,
      {
        html: name === 'client.js' ? script : readFileSync(join(site, 'out', name), 'utf8'),
        headers: { 'content-type': 'text/javascript' },
      },
    ]),
  )
  const { url } = await openSite(t, { ...pages, ...scripts })
  const { page, errors } = await newVisitor(t, browser)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Faster than a postcard' }).waitFor()
  await page.getByText('shown Postcard').waitFor()
  await page.getByText('Your email').waitFor()
  await page.getByRole('button', { name: 'Order' }).click()
  await page.getByRole('button', { name: 'Contact' }).click()
  for (const [name, text] of Object.entries({ name: 'Ada', email: 'ada@example.com', message: 'Is it green, too?' })) {
    await page.click(`[name=${name}]`)
    await page.keyboard.type(text, { delay: 10 })
  }
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('sent Ada').waitFor()
  await page.locator('form.own [name=name]').waitFor() // it stays, as the page has asked
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('heading', { name: 'Faster than a postcard' }).waitFor()
  const views = await eventually(
    () => viewsOf(footfall, property.id),
    (found) => found.length >= 3,
  )
  assert.deepEqual(
    views.map((view) => new URL(view.url).pathname),
    ['/', '/contact', '/start'],
  )
  const events = await eventually(
    () => eventsOf(footfall, property.id),
    (found) => found.length > 0,
  )
  assert.deepEqual(
    events.map(({ name, value }) => [name, value]),
    [['order', 'stamp']],
  )
  // Counted once the block has been in view for a while.
  const impressions = await eventually(
    () => impressionsOf(footfall, block.id),
    (found) => found.length > 0,
  )
  assert.ok(impressions.length > 0)
  const path = `/manage/properties/${property.id}/forms/${form.id}/submissions`
  const { json } = await footfall.call('GET', path, { query: { show: 'all' } })
  assert.equal(json.data.data.length, 1)
  assert.deepEqual(errors, [])
})
