// The rules of the layout, held over the import lines: which folder may know which, and where each outside
// thing may appear.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const root = new URL('..', import.meta.url).pathname

/** The folders that ARCHITECTURE.md tells of: every one of server/ is among them. */
const toldFolders = new Set(
  [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/`(?:server\/)?([a-z-]+)\/`/g)].map(
    (match) => match[1],
  ),
)

/** What a noun may import that asks for nothing more: it need not stand in the table. */
const usual: readonly string[] = ['http', 'kernel', 'properties', 'stores']

/**
 * What a folder of server/ may import from its neighbours, besides itself. The root files (app, main,
 * context) may import anything.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    'config',
    'context',
    'version',
    'http',
    'kernel',
    'mail',
    'members',
    'properties',
    'queues',
    'stores',
    'subscriptions',
  ],
  alerts: [
    'config',
    'context',
    'conversions',
    'form-mail',
    'http',
    'kernel',
    'mail',
    'properties',
    'sessions',
    'sites',
    'stores',
    'subscriptions',
  ],
  analytics: [
    'conversions',
    'costs',
    'enrich',
    'http',
    'kernel',
    'properties',
    'queues',
    'rates',
    'segments',
    'sessions',
    'shared-figures',
    'stores',
  ],
  automations: [
    'context',
    'conversions',
    'deliveries',
    'forms',
    'http',
    'identify',
    'kernel',
    'properties',
    'queues',
    'sessions',
    'stores',
    'webhooks',
  ],
  backups: ['config', 'pause-records', 'version', 'setting-values', 'http', 'kernel', 'storage', 'stores'],
  clicks: ['context', 'enrich', 'http', 'kernel', 'links', 'properties', 'sessions', 'stores', 'tracker'],
  'contact-lists': [
    'config',
    'context',
    'contacts',
    'forms',
    'html',
    'http',
    'kernel',
    'mail',
    'properties',
    'stores',
    'visitor-texts',
  ],
  'contact-searches': ['contacts', 'http', 'kernel', 'stores'],
  'contact-merge': ['contacts', 'http', 'identify', 'kernel', 'stores'],
  'contact-files': [
    'contact-lists',
    'contacts',
    'csv',
    'html',
    'http',
    'identify',
    'kernel',
    'properties',
    'queues',
    'rates',
    'stores',
  ],
  contacts: [
    'context',
    'contact-files',
    'contact-lists',
    'contact-merge',
    'enrich',
    'http',
    'identify',
    'kernel',
    'properties',
    'rates',
    'sessions',
    'stores',
  ],
  content: ['content-results', 'conversions', 'forms', 'html', 'http', 'kernel', 'properties', 'queues', 'stores'],
  'content-flow': [
    'context',
    'content',
    'enrich',
    'html',
    'http',
    'kernel',
    'properties',
    'sessions',
    'stores',
    'tracker',
  ],
  'content-results': ['content', 'conversions', 'http', 'kernel', 'sessions', 'stores'],
  conversions: ['automations', 'http', 'kernel', 'properties', 'sessions', 'stores'],
  costs: ['csv', 'enrich', 'http', 'kernel', 'properties', 'queues', 'rates', 'stores'],
  csv: ['kernel'],
  dashboard: ['config', 'context', 'kernel', 'members', 'redirect', 'serving'],
  deliveries: [
    'config',
    'context',
    'automations',
    'conversions',
    'enrich',
    'forms',
    'http',
    'identify',
    'kernel',
    'mail',
    'queues',
    'sessions',
    'stores',
    'submissions',
    'subscriptions',
    'uploads',
    'webhooks',
  ],
  demo: [
    'context',
    'annotations',
    'automations',
    'clicks',
    'contacts',
    'content',
    'content-flow',
    'conversions',
    'enrich',
    'form-flow',
    'forms',
    'http',
    'identify',
    'kernel',
    'links',
    'properties',
    'rates',
    'sessions',
    'spam-score',
    'stores',
    'submissions',
    'tracker',
  ],
  diagnostics: ['config', 'context', 'enrich', 'http', 'kernel', 'links', 'properties', 'stores', 'tracker'],
  documentation: ['serving'],
  'form-flow': [
    'context',
    'enrich',
    'forms',
    'html',
    'http',
    'kernel',
    'mail',
    'properties',
    'queues',
    'sessions',
    'spam-score',
    'stores',
    'submissions',
    'tracker',
    'uploads',
    'visitor-texts',
  ],
  'form-mail': [
    'config',
    'context',
    'forms',
    'http',
    'kernel',
    'mail',
    'properties',
    'stores',
    'submissions',
    'subscriptions',
    'visitor-texts',
  ],
  forms: [
    'context',
    'form-flow',
    'html',
    'http',
    'kernel',
    'properties',
    'queues',
    'stores',
    'submissions',
    'visitor-texts',
  ],
  html: ['forms', 'kernel', 'properties'],
  http: ['config', 'context', 'accounts', 'kernel', 'members', 'properties', 'queues'],
  icons: ['context', 'enrich', 'kernel'],
  identify: ['contacts', 'kernel', 'queues', 'sessions', 'stores'],
  kernel: [],
  engine: ['kernel'],
  enrich: ['kernel'],
  links: [
    'config',
    'context',
    'accounts',
    'clicks',
    'csv',
    'enrich',
    'http',
    'kernel',
    'properties',
    'queues',
    'redirect',
    'sessions',
    'stores',
    'tracker',
    'webhooks',
  ],
  'link-results': [
    'context',
    'clicks',
    'contacts',
    'content-results',
    'conversions',
    'csv',
    'http',
    'kernel',
    'links',
    'properties',
    'rates',
    'sessions',
    'stores',
  ],
  lists: [
    'analytics',
    'csv',
    'enrich',
    'http',
    'kernel',
    'properties',
    'queues',
    'rates',
    'sessions',
    'shared-figures',
    'stores',
  ],
  marks: ['context', 'http', 'kernel', 'sessions', 'stores'],
  mail: ['config', 'setting-values', 'http', 'kernel', 'queues', 'stores'],
  members: ['config', 'context', 'accounts', 'http', 'kernel', 'properties', 'segments', 'stores', 'subscriptions'],
  notices: ['config', 'context', 'automations', 'kernel', 'mail', 'members', 'properties', 'stores', 'subscriptions'],
  overview: [
    'config',
    'analytics',
    'annotations',
    'automations',
    'clicks',
    'content',
    'content-flow',
    'conversions',
    'costs',
    'form-flow',
    'forms',
    'http',
    'kernel',
    'links',
    'lists',
    'properties',
    'queues',
    'rates',
    'sessions',
    'shared-figures',
    'stores',
  ],
  properties: ['http', 'kernel', 'queues', 'stores'],
  qr: ['clicks', 'http', 'kernel', 'links', 'stores'],
  queues: ['kernel'],
  rates: ['kernel', 'stores'],
  redirect: [
    'config',
    'context',
    'accounts',
    'clicks',
    'enrich',
    'html',
    'http',
    'kernel',
    'links',
    'properties',
    'queues',
    'stores',
    'tracker',
    'visitor-texts',
  ],
  reports: [
    'config',
    'context',
    'form-mail',
    'http',
    'kernel',
    'mail',
    'overview',
    'properties',
    'stores',
    'subscriptions',
  ],
  scripts: ['config', 'context', 'kernel', 'redirect', 'serving'],
  serving: ['http', 'kernel'],
  sessions: ['http', 'kernel', 'properties', 'queues', 'rates', 'stores'],
  segments: ['analytics', 'http', 'kernel', 'members', 'properties', 'shared-figures', 'stores'],
  'shared-figures': ['context', 'analytics', 'http', 'kernel', 'members', 'rates', 'segments', 'stores'],
  sites: ['http', 'kernel', 'properties', 'sessions', 'stores'],
  'spam-score': ['context', 'enrich', 'form-flow', 'forms', 'kernel', 'queues', 'sessions', 'stores', 'tracker'],
  storage: [],
  stores: ['engine', 'kernel', 'queues'],
  story: [
    'analytics',
    'clicks',
    'contacts',
    'content',
    'content-flow',
    'deliveries',
    'form-flow',
    'http',
    'kernel',
    'links',
    'marks',
    'sessions',
    'stores',
  ],
  submissions: [
    'context',
    'contact-files',
    'contact-lists',
    'contacts',
    'csv',
    'enrich',
    'form-flow',
    'forms',
    'http',
    'identify',
    'kernel',
    'properties',
    'spam-score',
    'stores',
    'uploads',
    'visitor-texts',
  ],
  subscriptions: ['config', 'context', 'html', 'http', 'kernel', 'mail', 'stores', 'visitor-texts'],
  tracker: [
    'context',
    'contacts',
    'enrich',
    'http',
    'identify',
    'kernel',
    'properties',
    'queues',
    'sessions',
    'stores',
  ],
  'tracking-check': ['diagnostics', 'enrich', 'http', 'kernel', 'properties', 'sessions', 'stores', 'tracker'],
  uploads: ['config', 'context', 'forms', 'kernel', 'storage', 'stores', 'visitor-texts'],
  vitals: ['analytics', 'http', 'kernel', 'properties', 'sessions', 'stores'],
  webhooks: ['kernel', 'queues'],
  workers: ['config', 'secret', 'engine', 'http', 'kernel', 'queues', 'serving', 'stores'],
}

/** Folders of one family are one noun in parts: they read each other's files. */
const families = {
  accounts: ['accounts', 'members'],
  automations: ['automations', 'conversions', 'deliveries'],
  contacts: ['contacts', 'identify', 'contact-files', 'contact-merge', 'contact-lists', 'contact-searches'],
  content: ['content', 'content-flow', 'content-results'],
  figures: ['analytics', 'shared-figures', 'lists', 'overview', 'segments', 'vitals'],
  forms: ['forms', 'form-flow', 'form-mail', 'submissions', 'spam-score', 'uploads'],
  links: ['links', 'redirect', 'clicks', 'link-results', 'qr'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Not nouns, but words for all of them: each of their files is one thing, and anybody may import it. */
const libraries: ReadonlySet<string> = new Set([
  'csv',
  'enrich',
  'html',
  'http',
  'kernel',
  'queues',
  'serving',
  'storage',
  'stores',
])

/** Takes out everything there is, so that it may know every noun. */
const KNOWS_ALL = 'exports'

/** Type-only wiring: it names what everybody is handed, and nothing of it exists at run time. */
const exempt = new Set(['server/kernel/deps.ts', 'server/kernel/triggers.ts'])

/** Outside things, and the only files in which their import may appear. */
const outside: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
  {
    what: /^(fastify|@fastify\/.*|typebox.*)$/,
    where:
      /^server\/(app\.ts|http\/|serving\/|[a-z-]+\/([a-z]+-)*(routes|public|endpoints|schema)\.ts|tracker\/(calls|client|load)\.ts|diagnostics\/metrics\.ts)/,
  },
  { what: /^kysely/, where: /^server\/(stores\/|[a-z-]+\/([a-z]+-)?records\.ts)/ },
  { what: /^(@clickhouse\/client|chdb)/, where: /^server\/(stores|engine)\// },
  { what: /^ioredis$/, where: /^server\/http\/limits\.ts/ },
  { what: /^nodemailer/, where: /^server\/mail\/smtp\.ts/ },
]

/** A table is named in SQL only in the folders that own it: the one of its name, when it is not here. */
const tables: Readonly<Record<string, readonly string[]>> = {
  backup_runs: ['backups'],
  fact_removals: ['removals'],
  mails: ['mail'],
  properties: ['properties'],
  tokens: ['properties'],
  refused_calls: ['tracker'],
  salts: ['tracker'],
  session_marks: ['marks'],
  marks: ['marks'],
  currency_rates: ['rates'],
  contacts: families.contacts,
  contact_sessions: families.contacts,
  link_groups: ['links', 'redirect'],
  links: ['links', 'redirect'],
  retired_codes: ['links'],
  link_domains: ['links'],
  link_edits: ['links'],
  qr_looks: ['qr'],
  counters: ['links', 'redirect'],
  forms: families.forms,
  form_edits: ['forms'],
  form_evictions: ['submissions'],
  draft_tries: ['forms'],
  form_mails: families.forms,
  form_sessions: families.forms,
  submissions: families.forms,
  submission_keys: ['submissions'],
  submission_files: ['uploads'],
  uploads: ['uploads'],
  contact_consents: ['contacts', 'contact-merge'],
  contact_labels: ['contacts', 'contact-merge'],
  contact_notes: ['contacts', 'contact-merge'],
  contact_aliases: families.contacts,
  contact_searches: ['contact-searches'],
  list_rules: ['contact-lists'],
  list_forms: ['contact-lists'],
  list_memberships: ['contact-lists', 'contact-merge'],
  contact_merges: ['contact-merge'],
  contact_merge_moves: ['contact-merge'],
  conversions: families.automations,
  automations: families.automations,
  deliveries: families.automations,
  delivery_attempts: ['deliveries'],
  told_submissions: ['deliveries'],
  content_blocks: ['content'],
  content_versions: ['content'],
  content_phases: ['content'],
  content_edits: ['content'],
  users: families.accounts,
  user_sessions: ['accounts'],
  sign_ins: ['accounts'],
  recovery_codes: ['accounts'],
  members: families.accounts,
  invitations: families.accounts,
  shares: ['members'],
  account_setup: ['accounts'],
  installation: ['secret-records'],
  nodes: ['node-records'],
  write_pauses: ['pause-records'],
  writers: ['pause-records'],
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

const familyOf = (folder: string): readonly string[] =>
  Object.values(families).find((family: readonly string[]) => family.includes(folder)) ?? [folder]

/**
 * The folders within stores/ are parts of an engine: only the store itself knows them. Others go through
 * facts.ts, records.ts, the tables and what helps with statements.
 */
const enginePart = /^server\/stores\/(?!tables\/)[\w-]+\//

/** The settings, and what hands the engine's process a few names that are no settings. */
const readersOfEnvironment: ReadonlySet<string> = new Set(['server/config.ts', 'server/engine/engine.ts'])

/** Parts that a noun needs all the same: scans, the search index, settled days. */
const openParts = new Set(
  ['records/scans', 'sqlite/search', 'settled/settled', 'migrations/facts'].map((name) => `server/stores/${name}.ts`),
)

/** What declares the input and answers of endpoints: its shapes may be those of other declarations. */
const declares = /(?:^|[/-])(?:schema|endpoints|public)\.ts$/

/**
 * Whether an import that leaves its folder goes to the entry file: `<folder>/<folder>.ts`. It exports what
 * others may know. Shapes alone go from schema to schema: the rules, which the command line loads, must not
 * load the library of schemas.
 */
function isByTheDoor(path: string, name: string): boolean {
  const file = normalize(join(dirname(path), name))
  const target = folderOf(file)
  if (enginePart.test(file) && folderOf(path) !== 'stores') return openParts.has(file)
  if (file.split('/').length === 2 || libraries.has(target)) return true
  if (familyOf(target).includes(folderOf(path))) return true
  return file === `server/${target}/${target}.ts` || (file.endsWith('schema.ts') && declares.test(path))
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
    const allowed =
      isRoot ||
      exempt.has(path) ||
      [target, KNOWS_ALL].includes(folder) ||
      (mayImport[folder] ?? usual).includes(target)
    if (!allowed) faults.push(`${path} imports ${name}: ${folder} may not know ${target}`)
    else if (!isRoot && !isByTheDoor(path, name))
      faults.push(`${path} imports ${name}, not what ${target} has for others`)
  }
  if (!isRoot && !toldFolders.has(folder)) faults.push(`${path}: ARCHITECTURE.md says nothing of the folder ${folder}`)
  if (/\bprocess\.env\b/.test(text) && !readersOfEnvironment.has(path)) faults.push(`${path} reads the environment`)
  return [...faults, ...tableFaults({ path, text })]
}

/**
 * Where statements stand: those about records, and questions to the facts. One file gathers the callers of a
 * moment around its statements.
 */
const recordsFile = /\/(?:[a-z-]+-)?records\.ts$|^server\/identify\/contact-sessions\.ts$/
const statement = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/
const factsFile = /\/(?:[a-z-]+-)?facts\.ts$/
const question = /\bfacts\.query[<(]/

function tableFaults({ path, text }: SourceFile): string[] {
  if (path.startsWith('server/stores/')) return []
  if (statement.test(text) && !recordsFile.test(path)) return [`${path} holds a statement, and is no records file`]
  if (question.test(text) && !factsFile.test(path)) return [`${path} asks the facts, and is no facts file`]
  const named = [...text.matchAll(/\.(?:selectFrom|insertInto|updateTable|deleteFrom)\('(\w+)/g)].map(
    (match) => match[1] ?? '',
  )
  // Names that a statement gives to its own parts.
  const given = new Set([...text.matchAll(/\.with\('(\w+)'/g)].map((match) => match[1]))
  const faulty = named.filter((table) => !given.has(table) && !(tables[table] ?? [table]).includes(folderOf(path)))
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

/** A wider comment is not read, but skimmed. */
const COMMENT_COLUMNS = 110

test('no comment of the dashboard is wider than 110 columns', () => {
  const wide = globSync('dashboard/**/*.{ts,tsx,css,js}', { cwd: root }).flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > COMMENT_COLUMNS ? [`${path}:${at + 1}`] : [],
      ),
  )
  assert.deepEqual(wide, [])
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
    ['server/contacts/records.ts', "import { Lanes } from '../stores/sqlite/lanes.ts'"],
    ['server/exports/facts.ts', "import { dimensionOf } from '../analytics/dimensions.ts'"],
    ['server/demo/links.ts', "import {\n  type LinkGroup,\n} from '../links/link-model.ts'"],
    ['server/exports/run.ts', "import { AnnotationShape } from '../annotations/schema.ts'"],
    ['server/analytics/records.ts', "records.selectFrom('tokens')"],
    ['server/links/links.ts', "records\n    .selectFrom('links')"],
    ['server/lists/bots.ts', "facts.query<Row>('analytics.bots', `SELECT 1`, {})"],
  ]
  for (const [path, text] of broken) assert.equal(faultsOf({ path, text }).length, 1, path)
  const kept: readonly (readonly [string, string])[] = [
    ['server/analytics/metrics.ts', "import { x } from '../kernel/window.ts'"],
    ['server/overview/overview.ts', "import { dimensionOf } from '../analytics/dimensions.ts'"],
    ['server/demo/links.ts', "import { type LinkGroup } from '../links/links.ts'"],
    ['server/overview/schema.ts', "import { annotationFields } from '../annotations/schema.ts'"],
    ['server/links/list-records.ts', "records.selectFrom('links')"],
  ]
  for (const [path, text] of kept) assert.deepEqual(faultsOf({ path, text }), [], path)
})
