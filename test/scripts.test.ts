// The browser libraries as they are handed out: small enough, old enough in their language, and as caches and
// pages of other origins need them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { parse } from 'acorn'
import { fastify } from 'fastify'
import { errorHandler } from '../server/http/errors.ts'
import { scriptRoutes } from '../server/scripts/public.ts'
import { chooseEncoding, isKnown } from '../server/serving/static-files.ts'
import { buildFolder, readScript, SCRIPT_NAMES } from '../server/scripts/scripts.ts'
import { startFootfall } from './support/server.ts'
import { buildLibraries, buildPackage } from './support/libraries.ts'

const root = new URL('..', import.meta.url).pathname
const budget = JSON.parse(readFileSync(join(root, 'browser/budget.json'), 'utf8')) as Record<string, number>

test('each library is within its budget', async () => {
  buildLibraries()
  for (const name of SCRIPT_NAMES) {
    const script = await readScript(buildFolder, name)
    assert.ok(script, name)
    assert.ok(script.encoded.gzip.length <= budget[name]!, `${name}: ${script.encoded.gzip.length} bytes`)
  }
  assert.deepEqual(Object.keys(budget).toSorted(), SCRIPT_NAMES.toSorted())
})

test('each library is ES2019, which browsers of 2020 read', async () => {
  buildLibraries()
  for (const name of SCRIPT_NAMES) {
    const text = readFileSync(join(buildFolder, `${name}.js`), 'utf8')
    parse(text, { ecmaVersion: 2019, sourceType: 'script' })
    assert.doesNotMatch(text, /sourceMappingURL/)
  }
  assert.throws(() => parse('a?.b', { ecmaVersion: 2019 }))
})

test('a library comes in the encoding that is asked for, with what caches and foreign pages need', async (t) => {
  buildLibraries()
  const { url } = await startFootfall(t)
  const plain = readFileSync(join(buildFolder, 'signals.js'))
  const ask = (encoding: string, method = 'GET', more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/signals.js`, { method, headers: { 'accept-encoding': encoding, ...more } })
  const read = async (encoding: string): Promise<[string | null, Buffer]> => {
    const answer = await ask(encoding)
    return [answer.headers.get('content-encoding'), Buffer.from(await answer.arrayBuffer())]
  }
  // fetch decodes what it knows; that it could is the proof.
  assert.deepEqual(await read('identity'), [null, plain])
  assert.deepEqual(await read('gzip'), ['gzip', plain])
  assert.deepEqual(await read('gzip, deflate, br'), ['br', plain])
  const answer = await ask('br')
  const wanted = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  }
  for (const [name, value] of Object.entries(wanted)) assert.equal(answer.headers.get(name), value, name)
  const tag = answer.headers.get('etag')!
  const again = await ask('br', 'GET', { 'if-none-match': `"other", W/${tag}` })
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', tag])
  // Another encoding: other bytes.
  assert.equal((await ask('gzip', 'GET', { 'if-none-match': tag })).status, 200)
  const head = await ask('identity', 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, `${plain.length}`, ''])
  assert.equal((await ask('identity', 'POST')).status, 405)
})

test('the compressed bytes are those of the script', async () => {
  buildLibraries()
  for (const name of SCRIPT_NAMES) {
    const { plain, encoded } = (await readScript(buildFolder, name))!
    assert.deepEqual([gunzipSync(encoded.gzip), brotliDecompressSync(encoded.br)], [plain, plain])
  }
})

test('Accept-Encoding and If-None-Match are read as they are written', () => {
  const choices = {
    '': undefined,
    gzip: 'gzip',
    'gzip;q=0.5, br;q=0': 'gzip',
    'GZIP; Q=1': 'gzip',
    '*': 'br',
    'br;q=0.000, *': 'gzip',
    'identity, *;q=0': undefined,
    'x-gzip, brotli': undefined,
  }
  for (const [header, chosen] of Object.entries(choices)) assert.equal(chooseEncoding(header), chosen, header)
  assert.deepEqual(
    ['"a"', 'W/"a"', '"b", "a"', '*', 'a', '', undefined].map((header) => isKnown(header, '"a"')),
    [true, true, true, true, false, false, false],
  )
})

test('what is built is found, whatever the folder above is called', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall 100% für '))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'server/serving'), { recursive: true })
  copyFileSync(join(root, 'server/serving/static-files.ts'), join(folder, 'server/serving/static-files.ts'))
  for (const [file, built] of [
    ['server/scripts/scripts.ts', 'dist/browser/'],
    ['server/dashboard/files.ts', 'dist/dashboard/'],
  ] as const) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
    const copy = (await import(pathToFileURL(join(folder, file)).href)) as { buildFolder: string }
    assert.equal(copy.buildFolder, join(folder, built))
  }
})

test('a library that has not been built is answered with what to do, and is in no cache', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-scripts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'signals.js'), '') // half a build is none
  assert.equal(await readScript(folder, 'signals'), undefined)
  const { context } = await startFootfall(t)
  const app = fastify({ exposeHeadRoutes: false }).setErrorHandler(errorHandler())
  t.after(() => app.close())
  await app.register(scriptRoutes(context, undefined, folder))
  const answer = await app.inject('/signals.js')
  assert.equal(answer.statusCode, 503)
  assert.match(answer.json().message, /^signals\.js has not been built: npm start builds it/)
  assert.equal(answer.headers['cache-control'], 'no-store')
})

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
  return stdout
}

/** A project that has installed the packed libraries, as somebody else's would. */
function installPackage(t: TestContext): string {
  buildPackage()
  const folder = mkdtempSync(join(tmpdir(), 'footfall-package-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const packed = run(folder, 'npm', ['pack', '--silent', join(root, 'dist/package')])
    .trim()
    .split('\n')
    .at(-1)!
  mkdirSync(join(folder, 'site'))
  writeFileSync(join(folder, 'site/package.json'), '{"name": "site", "private": true, "type": "module"}')
  run(join(folder, 'site'), 'npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed)])
  return join(folder, 'site')
}

test('the packed package installs, and its modules can be imported with their types, also where there is no page', (t) => {
  const site = installPackage(t)
  const files = readdirSync(join(site, 'node_modules/@footfall/browser'))
  const described = JSON.parse(
    readFileSync(join(site, 'node_modules/@footfall/browser/package.json'), 'utf8'),
  ) as Record<string, unknown>
  for (const field of ['description', 'keywords', 'homepage', 'repository', 'license', 'publishConfig'])
    assert.ok(described[field], field)
  const names = ['signals', 'vitals', 'form', 'filling', 'managed', 'notes', 'content']
  const modules = ['index', ...names].map((name) => `${name}.js`)
  assert.deepEqual(files.toSorted(), ['LICENSE', 'NOTICE', 'README.md', ...modules, 'package.json', 'types'].toSorted())
  const lines = [
    ...names.map((name) => `import * as ${name} from '@footfall/browser/${name}'`),
    `import * as all from '@footfall/browser'`,
  ]
  writeFileSync(
    join(site, 'main.ts'),
    `${lines.join('\n')}
    signals.signals.push(['view', 404], ['event', 'a', 1], ['acquisition', {}], ['identify', {}], ['resolve'])
    // @ts-expect-error -- no function of that name
    signals.signals.push(['evnt', 'a'])
    console.log(typeof signals, typeof form, all.signals === signals.signals)\n`,
  )
  const options = { strict: true, noEmit: true, skipLibCheck: false, lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
  const settings = {
    compilerOptions: { ...options, module: 'esnext', moduleResolution: 'bundler' },
    files: ['main.ts'],
  }
  writeFileSync(join(site, 'tsconfig.json'), JSON.stringify(settings))
  run(site, join(root, 'node_modules/.bin/tsc'), ['-p', '.'])
  assert.equal(run(site, process.execPath, ['main.ts']).trim(), 'object object true')
})
