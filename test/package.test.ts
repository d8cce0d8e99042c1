// What `npm run package` makes runs where there is no npm and no clone: unpacked and started, with nothing of
// this machine but its shell.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { before, after, test } from 'node:test'
import { BUILD_ONLY, ownFiles, runtimePackages } from '../tools/package-files.mjs'
import { serviceFolder } from './support/programs.ts'
import { callService, startService } from './support/service.ts'

const root = new URL('..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'footfall-package-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const skip = process.platform !== 'linux' && 'archives are made on Linux'
const bare = { PATH: '/usr/bin:/bin' }
let unpacked = ''
let launcher = ''

before(() => {
  if (skip) return
  const options = ['--no-compression', '--without-city-data', '--out', folder]
  const archive = execFileSync(process.execPath, [join(root, 'tools/package.mjs'), ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  assert.equal(readFileSync(`${archive}.sha256`, 'utf8'), `${sum}  ${basename(archive)}\n`)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
  unpacked = archive.replace(/\.tar$/, '')
  launcher = join(unpacked, 'bin', 'footfall')
})

const run = (args: string[], env: Record<string, string>) =>
  spawnSync(launcher, args, { env: { ...bare, ...env }, encoding: 'utf8' })

test('the unpacked archive serves, stores and ends by its launcher alone', { skip }, async (t) => {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const service = await startService(t, dataDir, { PATH: bare.PATH }, [launcher, 'serve'])
  assert.match(service.output(), /Next: footfall property create/)
  const env = { DATA_DIR: dataDir, PORT: new URL(service.url).port }
  const created = run(['property', 'create', '--name', 'Site', '--domain', 'example.com', '--json'], env)
  const { property } = JSON.parse(created.stdout) as { property: { key: string } }
  const page = { 'x-svc-page': 'https://example.com/', 'x-svc-lib': '1.0.0' }
  const visitor = { key: property.key, token: null }
  const { json } = await callService(service, visitor, 'GET', '/v2/signal/load', undefined, page)
  assert.equal(json.success, true)
  for (const path of ['/signals.js', '/dashboard', '/docs', '/readyz'])
    assert.equal((await fetch(service.url + path)).status, 200, path)
  assert.equal(run(['health', '--ready'], env).status, 0)
  // The launcher has become the service: a supervisor that signals it signals the service.
  assert.match(readFileSync(`/proc/${service.pid}/cmdline`, 'utf8'), /node\0.*footfall\.js\0serve/)
  assert.equal(await service.end('SIGTERM'), 0)
  assert.equal(run(['health'], env).status, 1)
})

test('nothing that builds or tests is in the archive, nor anything of the machine that wrote it', { skip }, () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  const names = readdirSync(join(unpacked, 'node_modules'), { recursive: true }).map(String)
  const isThere = (path: string) => existsSync(join(unpacked, path))
  const development = Object.keys(packages).filter((path) => packages[path]?.dev)
  assert.deepEqual([...development, ...BUILD_ONLY.map((name) => `node_modules/${name}`)].filter(isThere), [])
  assert.deepEqual(
    names.filter((name) => /\.(map|d\.ts)$/.test(name)),
    [],
  )
  const sources = readdirSync(join(unpacked, 'app'), { recursive: true }).map(String)
  assert.deepEqual(
    sources.filter((name) => name.endsWith('.test.ts')),
    [],
  )
  const listed = execFileSync('find', [unpacked, '!', '-newermt', '@1', '-printf', 'x'], { encoding: 'utf8' })
  const all = execFileSync('find', [unpacked, '-printf', 'x'], { encoding: 'utf8' })
  assert.equal(listed.length, all.length, 'every file is of the same time')
})

test('the packages of a package are chosen for its processors', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>
  }
  const engine = (arch: string) => runtimePackages(packages, arch).filter((path) => path.includes('@chdb/'))
  assert.deepEqual(engine('x64'), ['node_modules/@chdb/lib-linux-x64-gnu'])
  assert.deepEqual(engine('arm64'), ['node_modules/@chdb/lib-linux-arm64-gnu'])
})

test(
  'what an image is built from is not left out of its context, and no image holds what it is not built from',
  { skip },
  () => {
    const [, ...lines] = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')
    const letIn = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).split('/')[0]!)
    const { app, beside } = ownFiles(root, relative(root, serviceFolder))
    const read = [...app, ...beside, 'package.json', 'package-lock.json', 'tools/package.mjs', 'browser/signals.ts']
    const needed = new Set(read.map((file) => file.split('/')[0]!).filter((top) => top !== 'dist'))
    assert.deepEqual([...needed, 'dashboard'].toSorted(), letIn.toSorted())
    const copied = [
      ...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^COPY --from=build (.+) \S+$/gm),
    ].flatMap(([, paths]) => paths!.split(' '))
    for (const path of copied.filter((each) => each.startsWith('/footfall/')))
      assert.ok(existsSync(join(unpacked, path.slice('/footfall/'.length))), path)
    assert.ok(copied.length > 4)
  },
)
