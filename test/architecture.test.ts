// The rules of the layout, held over the import lines: which folder may know which, and where each outside thing may appear.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const root = new URL('..', import.meta.url).pathname

/** What a folder of server/ may import from its neighbours, besides itself. The root files (app, main, context) may import anything. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  stores: ['kernel'],
  enrich: ['kernel'],
  jobs: ['kernel', 'stores'],
  http: ['kernel', 'context', 'properties', 'accounts', 'config'],
  accounts: ['kernel', 'stores', 'http', 'context', 'properties', 'config', 'version'],
  diagnostics: ['kernel', 'stores', 'http', 'context', 'properties', 'enrich', 'tracker'],
  properties: ['kernel', 'stores', 'http', 'context'],
  contacts: ['kernel', 'stores', 'http', 'context', 'properties', 'enrich', 'sessions'],
  sessions: ['kernel', 'stores', 'http', 'context', 'properties'],
  tracker: ['kernel', 'stores', 'http', 'context', 'properties', 'enrich', 'sessions', 'contacts'],
  analytics: ['kernel', 'stores', 'http', 'context', 'properties', 'enrich', 'sessions'],
  links: ['kernel', 'stores', 'http', 'context', 'properties', 'enrich', 'sessions', 'tracker', 'config'],
  forms: ['kernel', 'stores', 'http', 'context', 'properties', 'enrich', 'sessions', 'tracker', 'contacts'],
  automations: [
    'kernel',
    'stores',
    'http',
    'context',
    'properties',
    'enrich',
    'sessions',
    'contacts',
    'forms',
    'webhooks',
    'config',
  ],
  webhooks: ['kernel', 'stores'],
  scripts: ['kernel', 'http', 'context'],
  content: [
    'kernel',
    'stores',
    'http',
    'context',
    'properties',
    'enrich',
    'sessions',
    'tracker',
    'forms',
    'automations',
  ],
  dashboard: [
    'tracker',
    'kernel',
    'stores',
    'http',
    'context',
    'properties',
    'sessions',
    'analytics',
    'contacts',
    'links',
    'forms',
    'automations',
    'content',
    'config',
    'scripts',
    'diagnostics',
    'enrich',
  ],
  exports: [
    'kernel',
    'analytics',
    'stores',
    'http',
    'context',
    'properties',
    'enrich',
    'sessions',
    'contacts',
    'links',
    'forms',
    'automations',
    'content',
  ],
  demo: [
    'kernel',
    'http',
    'stores',
    'context',
    'properties',
    'enrich',
    'tracker',
    'sessions',
    'contacts',
    'links',
    'forms',
    'content',
  ],
}

/** Type-only wiring: it names what everybody is handed, and nothing of it exists at run time. */
const exempt = new Set(['server/kernel/deps.ts', 'server/kernel/triggers.ts'])

/** Outside things, and the only files in which their import may appear. */
const outside: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
  {
    what: /^(fastify|@fastify\/.*|typebox.*)$/,
    where:
      /^server\/(app\.ts|http\/|[a-z]+\/([a-z]+-)*(routes|public|manage|endpoints|schema)\.ts|tracker\/(client|load)\.ts|diagnostics\/metrics\.ts)/,
  },
  { what: /^kysely/, where: /^server\/(stores\/|[a-z]+\/([a-z]+-)?records\.ts)/ },
  { what: /^(@clickhouse\/client|chdb)/, where: /^server\/stores\// },
  { what: /^ioredis$/, where: /^server\/http\/limits\.ts/ },
]

/** A table is named in SQL only where it is owned. `sessions` as a table belongs to analytics and sessions, which share its reading. */
const tables: Readonly<Record<string, RegExp>> = {
  properties: /^server\/properties\//,
  tokens: /^server\/properties\//,
  refused_calls: /^server\/tracker\//,
  session_marks: /^server\/sessions\//,
  marks: /^server\/sessions\//,
  salts: /^server\/tracker\//,
  currency_rates: /^server\/sessions\//,
  contacts: /^server\/contacts\//,
  contact_sessions: /^server\/contacts\//,
  link_groups: /^server\/links\//,
  links: /^server\/links\//,
  counters: /^server\/links\//,
  forms: /^server\/forms\//,
  form_edits: /^server\/forms\//,
  form_evictions: /^server\/forms\//,
  form_sessions: /^server\/forms\//,
  submissions: /^server\/forms\//,
  submission_keys: /^server\/forms\//,
  conversions: /^server\/automations\//,
  automations: /^server\/automations\//,
  deliveries: /^server\/automations\//,
  delivery_attempts: /^server\/automations\//,
  told_submissions: /^server\/automations\//,
  content_blocks: /^server\/content\//,
  content_versions: /^server\/content\//,
  content_phases: /^server\/content\//,
  content_edits: /^server\/content\//,
  annotations: /^server\/analytics\//,
  users: /^server\/accounts\//,
  user_sessions: /^server\/accounts\//,
  sign_ins: /^server\/accounts\//,
  recovery_codes: /^server\/accounts\//,
  members: /^server\/accounts\//,
  invitations: /^server\/accounts\//,
  shares: /^server\/accounts\//,
  account_setup: /^server\/accounts\//,
}

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Import and export lines with their module; comments and texts in code rarely look like one. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'([^']+)'/gm)].map((match) => match[1] ?? '')
}

function folderOf(path: string): string {
  const [, folder = '', file] = path.split('/')
  return file === undefined ? folder.replace(/\.ts$/, '') : folder
}

function faultsOf({ path, text }: SourceFile): string[] {
  const folder = folderOf(path)
  const isRoot = path.split('/').length === 2
  const faults: string[] = []
  for (const name of importsOf(text)) {
    if (!name.startsWith('.')) {
      const rule = outside.find(({ what }) => what.test(name))
      if (rule && !rule.where.test(path)) faults.push(`${path} imports ${name}`)
      continue
    }
    const target = folderOf(normalize(join(dirname(path), name)))
    const allowed = isRoot || exempt.has(path) || target === folder || mayImport[folder]?.includes(target)
    if (!allowed) faults.push(`${path} imports ${name}: ${folder} may not know ${target}`)
  }
  if (!isRoot && mayImport[folder] === undefined) faults.push(`${path}: the folder ${folder} is not in the table`)
  if (/\bprocess\.env\b/.test(text) && path !== 'server/config.ts') faults.push(`${path} reads the environment`)
  return [...faults, ...tableFaults({ path, text })]
}

function tableFaults({ path, text }: SourceFile): string[] {
  if (path.startsWith('server/stores/')) return []
  const named = [...text.matchAll(/\.(?:selectFrom|insertInto|updateTable|deleteFrom)\('(\w+)/g)].map(
    (match) => match[1] ?? '',
  )
  // Names that a statement gives to its own parts.
  const given = new Set([...text.matchAll(/\.with\('(\w+)'/g)].map((match) => match[1]))
  const faulty = named.filter((table) => !given.has(table) && !tables[table]?.test(path))
  return faulty.map((table) => `${path} names the table ${table}`)
}

function serverFiles(): SourceFile[] {
  return globSync('server/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

test('every file of the server keeps to the rules of the layout', () => {
  const files = serverFiles()
  assert.ok(files.length > 40, 'the files were found')
  assert.deepEqual(files.flatMap(faultsOf), [])
})

test('no file of the server is longer than 400 lines', () => {
  const long = serverFiles().filter(({ path, text }) => text.split('\n').length > 400 && !path.endsWith('-seed.ts'))
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('the rules can fail', () => {
  const broken: readonly (readonly [string, string])[] = [
    ['server/stores/facts.ts', "import { readQuestion } from '../analytics/schema.ts'"],
    ['server/analytics/metrics.ts', "import { fastify } from 'fastify'"],
    ['server/analytics/metrics.ts', "import { sql } from 'kysely'"],
    ['server/tracker/rows.ts', "import {\n  createClient,\n} from '@clickhouse/client'"],
    ['server/tracker/rows.ts', "import { type Facts } from '../analytics/facts.ts'"],
    ['server/http/auth.ts', 'const token = process.env.ADMIN_TOKEN'],
    ['server/enrich/geo.ts', "export { x } from '../tracker/x.ts'"],
    ['server/unheard/of.ts', ''],
    ['server/analytics/records.ts', "records.selectFrom('tokens')"],
  ]
  for (const [path, text] of broken) assert.equal(faultsOf({ path, text }).length, 1, path)
  assert.deepEqual(
    faultsOf({ path: 'server/analytics/metrics.ts', text: "import { x } from '../kernel/window.ts'" }),
    [],
  )
})
