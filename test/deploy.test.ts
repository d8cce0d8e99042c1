// The files with which Footfall is put to work: they name settings that exist with values that a start takes,
// and hold together. The programs that read them look at them as well, where they are installed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../server/config.ts'
import { settings } from '../server/settings.ts'

const root = new URL('..', import.meta.url).pathname
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** What an owner would put in, for every text that a file leaves open. */
const given: Readonly<Record<string, string>> = {
  FOOTFALL_HOST: 'stats.example.com',
  SECRET: 'a secret of more than thirty-two characters',
  CLICKHOUSE_PASSWORD: 'letters',
  CLUSTER_SECRET: 'digits',
  POSTGRES_PASSWORD: 'both',
  secret: 'a secret of more than thirty-two characters',
  'database-url': 'postgres://footfall@postgres/footfall',
  'clickhouse-url': 'http://one:8123,http://two:8123',
  'redis-url': 'redis://redis',
}

// oxlint-disable-next-line typescript/no-explicit-any -- files of every shape are looked into
type Yaml = any

function documents(path: string): Yaml[] {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    if ('errors' in document) assert.deepEqual(document.errors, [], path)
    return (document as Yaml).toJS()
  })
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?reason}`, as compose fills them in. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, fallback = '') => given[name] ?? fallback)

/** The environment is one that a start takes, without a name that nothing reads. */
function checkSettings(env: Readonly<Record<string, string>>, where: string): void {
  for (const name of Object.keys(env)) assert.ok(Object.hasOwn(settings, name), `${where}: ${name} is no setting`)
  readConfig(env)
}

/** Where the program is installed it has to accept the file. */
function askProgram(t: TestContext, command: string, args: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (error) t.diagnostic(`${command} is not installed: it has not looked at the file`)
  else assert.equal(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`)
}

/** Named volumes are declared, mounted files exist, and so do the services that are waited for. */
function checkService(compose: Yaml, name: string, folder: string): void {
  const { volumes = [], depends_on: waits = [] } = compose.services[name]
  for (const volume of volumes as string[]) {
    const [from = ''] = volume.split(':')
    const isThere = from.startsWith('.') ? existsSync(join(root, folder, from)) : from in compose.volumes
    assert.ok(isThere, `${name}: ${from}`)
  }
  for (const other of Array.isArray(waits) ? waits : Object.keys(waits)) assert.ok(other in compose.services, other)
}

function checkNode(service: Yaml, name: string): void {
  const env = Object.entries(service.environment as Record<string, string>).map(([key, value]) => [key, filled(value)])
  checkSettings(Object.fromEntries(env), name)
  assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name)
}

for (const path of ['compose.yaml', 'deploy/scaled/compose.yaml']) {
  test(`${path} holds together, and its nodes would start`, () => {
    const [compose] = documents(path)
    const names = Object.keys(compose.services)
    for (const name of names) checkService(compose, name, dirname(path))
    const nodes = names.filter((name) => name.startsWith('footfall'))
    assert.equal(nodes.length, path === 'compose.yaml' ? 1 : 3)
    for (const name of nodes) checkNode(compose.services[name], name)
    const caddyfile = read(path === 'compose.yaml' ? 'deploy/Caddyfile' : 'deploy/scaled/Caddyfile')
    const called = new Set([...caddyfile.matchAll(/\b(footfall[\w-]*):8080/g)].map(([, name]) => name))
    assert.deepEqual(called, new Set(nodes))
  })
}

test('the cluster of deploy/scaled is the one that its nodes are told of', () => {
  const [compose] = documents('deploy/scaled/compose.yaml')
  const servers = read('deploy/scaled/clickhouse.xml')
  const { CLICKHOUSE_CLUSTER, CLICKHOUSE_URL } = compose.services['footfall-1'].environment
  const [, cluster] = /<remote_servers[^>]*>\s*<(\w+)>/.exec(servers) ?? []
  assert.equal(cluster, CLICKHOUSE_CLUSTER)
  const hosts = [...servers.matchAll(/<replica><host>([\w-]+)</g)].map(([, host]) => host)
  assert.deepEqual(
    filled(CLICKHOUSE_URL)
      .split(',')
      .map((url) => new URL(url).hostname),
    hosts,
  )
  for (const host of [...hosts, 'keeper', 'postgres', 'redis'])
    assert.ok(Object.hasOwn(compose.services, host ?? ''), host)
})

test('the Caddyfile of compose.yaml is the recipe of docs/proxies.md', (t) => {
  const own = read('deploy/Caddyfile')
  const recipe = [...read('docs/proxies.md').matchAll(/^```caddy\n([\s\S]*?)^```$/gm)][1]?.[1]
  assert.equal(own.slice(own.indexOf('\n') + 1), recipe?.replaceAll('127.0.0.1:8080', 'footfall:8080'))
  for (const file of ['deploy/Caddyfile', 'deploy/scaled/Caddyfile'])
    askProgram(t, 'caddy', ['validate', '--config', file, '--adapter', 'caddyfile'])
})

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } }
}

/** One container that may do nothing it does not need, with a volume of its own. */
function checkPods(set: Yaml, services: readonly Yaml[]): void {
  const { selector, serviceName, template, volumeClaimTemplates } = set.spec
  const { labels } = template.metadata
  assert.deepEqual(selector.matchLabels, labels)
  assert.ok(services.some(({ metadata }) => metadata.name === serviceName))
  for (const service of services) assert.deepEqual(service.spec.selector, labels)
  assert.equal(template.spec.securityContext.runAsNonRoot, true)
  const [container, ...more] = template.spec.containers
  assert.deepEqual(more, [])
  const env = (container.env as Variable[]).map(({ name, value, valueFrom }) => [
    name,
    value ?? given[valueFrom?.secretKeyRef.key ?? ''] ?? '',
  ])
  checkSettings(Object.fromEntries(env), set.kind)
  assert.equal(container.securityContext.readOnlyRootFilesystem, true)
  const ports = new Set(container.ports.map((port: Yaml) => port.name))
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    assert.ok(ports.has(container[probe].httpGet.port), probe)
  const claims = volumeClaimTemplates.map((claim: Yaml) => claim.metadata.name)
  assert.deepEqual(
    container.volumeMounts.map((mount: Yaml) => mount.name),
    claims,
  )
}

for (const name of ['one-node', 'scaled']) {
  test(`deploy/kubernetes/${name} holds together, and its nodes would start`, (t) => {
    const folder = `deploy/kubernetes/${name}`
    const [kustomization] = documents(`${folder}/kustomization.yaml`)
    const files = readdirSync(join(root, folder)).filter((file) => file !== 'kustomization.yaml')
    assert.deepEqual(kustomization.resources.toSorted(), files.toSorted())
    const objects = files.flatMap((file) => documents(`${folder}/${file}`))
    for (const { apiVersion, kind, metadata } of objects) assert.ok(apiVersion && kind && metadata.name)
    const ofKind = (kind: string) => objects.filter((object) => object.kind === kind)
    const services = ofKind('Service')
    const [set] = ofKind('StatefulSet')
    checkPods(set, services)
    const [ingress] = ofKind('Ingress')
    const { service } = ingress.spec.rules[0].http.paths[0].backend
    const target = services.find(({ metadata }) => metadata.name === service.name)
    assert.ok(target?.spec.ports.some((port: Yaml) => port.name === service.port.name))
    assert.equal(kustomization.images[0].name, set.spec.template.spec.containers[0].image)
    askProgram(t, 'kubectl', ['kustomize', folder])
  })
}

test('the systemd unit is one that systemd takes', (t) => {
  const unit = read('deploy/systemd/footfall.service')
  const env = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
  checkSettings(Object.fromEntries(env), 'footfall.service')
  const folder = mkdtempSync(join(tmpdir(), 'footfall-unit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'footfall.service')
  writeFileSync(file, unit.replaceAll('/opt/footfall/bin/footfall', process.execPath))
  askProgram(t, 'systemd-analyze', ['verify', file])
})
