// `npm run bench`: durable writes a second beside a bare Fastify route, and the answers of the analytics
// beside a bare count, in one table and as JSON in bench/results/. Everything on loopback, in temporary
// folders, in processes of its own. npm run bench -- --sessions 100000,1000000 --days 365 --contacts 1000000
// --links 1000000 npm run bench -- --only load,redirects,queries --json results.json npm run bench -- --only
// records --records 1000000 npm run bench -- --only load,redirects,forms --connections 64,256,2000
// Parts: load, redirects, forms, strangers, content, webhooks, links, queries, overview, dashboard,
// first-load, contacts, records, hostile, slow-readers, marks, sites, workers, nodes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureAsking } from './asking.ts'
import { measureContacts } from './contacts.ts'
import { measureContent } from './content.ts'
import { measureDashboard } from './dashboard.ts'
import { measureEventLoop } from './event-loop.ts'
import { measureFirstLoad } from './first-load.ts'
import { measureForms } from './forms.ts'
import { measureHostile } from './hostile.ts'
import { measureLinks } from './links.ts'
import { measureMarks } from './marks.ts'
import { measureNodes } from './nodes.ts'
import { measureOverview } from './overview.ts'
import { measureRedirects } from './redirects.ts'
import { measureSites } from './sites.ts'
import { measureStrangers } from './strangers.ts'
import { measureSlowReaders } from './slow-readers.ts'
import { tableOf, type Row } from './table.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWorkers } from './workers.ts'
import { measureWriting } from './writing.ts'

const PARTS = [
  'load',
  'redirects',
  'forms',
  'strangers',
  'content',
  'webhooks',
  'links',
  'queries',
  'overview',
  'dashboard',
  'first-load',
  'contacts',
  'records',
  'slow-readers',
  'hostile',
  'marks',
  'sites',
  'workers',
  'nodes',
]

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100000,1000000' },
    days: { type: 'string', default: '365' },
    contacts: { type: 'string', default: '1000000' },
    links: { type: 'string', default: '1000000' },
    records: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '64,2000' },
    only: { type: 'string', default: PARTS.join(',') },
    json: { type: 'string' },
  },
})
/** Of each property: a site of some thousand visits a month. */
const HOSTILE_SESSIONS = 20_000
const only = values.only.split(',')
const sizes = values.sessions.split(',').map(Number)
const days = Number(values.days)
const contacts = Number(values.contacts)
const links = Number(values.links)
const ofRecords = Number(values.records)
const connections = values.connections.split(',').map(Number)
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number > 0
if (
  !only.every((part) => PARTS.includes(part)) ||
  ![...sizes, ...connections, days, contacts, links, ofRecords].every(isCount)
) {
  process.stderr.write(
    `bench: --only takes some of ${PARTS.join(', ')}; --sessions and --connections whole numbers separated by commas, --days, --contacts, --links and --records one\n`,
  )
  process.exit(2)
}

interface Section {
  readonly title: string
  readonly rows: readonly Row[]
  readonly [detail: string]: unknown
}

const say = (line: string): boolean => process.stderr.write(`${line}\n`)
const count = (number: number): string => Math.round(number).toLocaleString('en')

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writing(atOnce: number): Promise<Section> {
  say(`bench: writing at ${count(atOnce)} connections, about a minute and a half …`)
  const { rows, ...facts } = await inFolder((folder) => measureWriting(folder, atOnce))
  const { idle, most, after } = facts.memoryMb
  const memory = [
    { name: 'memory idle', memoryMb: idle },
    { name: 'memory at most', memoryMb: most },
    { name: 'memory after', memoryMb: after },
  ]
  const title = `Writing: ${count(atOnce)} connections; ${count(facts.acknowledged)} views acknowledged, ${count(facts.stored)} stored, ${count(facts.bytesAView)} bytes on disk a view`
  return { title, rows: [...rows, ...memory], ...facts }
}

async function redirecting(): Promise<Section> {
  say('bench: short links, about a minute …')
  const { rows, clicks } = await inFolder((folder) => measureRedirects(folder, connections))
  const told = Object.entries(clicks).map(([result, number]) => `${count(number)} ${result}`)
  return { title: `Short links: redirects with recording on; clicks ${told.join(', ')}`, rows, clicks }
}

async function fillingIn(): Promise<Section> {
  say('bench: forms, about a minute …')
  return {
    title: 'Forms: each submission checked and scored',
    rows: await inFolder((folder) => measureForms(folder, connections)),
  }
}

async function straining(): Promise<Section> {
  say('bench: strangers at their limit, about two minutes …')
  const { rows, cpuMs, calls } = await inFolder(measureStrangers)
  const title = `Strangers: ${calls.toFixed(1)} dear calls of forms a second; processor milliseconds of a page view ${cpuMs.view.toFixed(1)}, of a dear call ${cpuMs.call.toFixed(1)}`
  return { title, rows, cpuMs, calls }
}

async function rendering(): Promise<Section> {
  say('bench: content, about a minute …')
  const { rows, cpuMs } = await inFolder(measureContent)
  const told = Object.entries(cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(3)}`)
  return { title: `Content: processor milliseconds an answer: ${told.join(', ')}`, rows, cpuMs }
}

async function calling(): Promise<Section> {
  say('bench: webhooks, about two minutes …')
  const rows = await inFolder((folder) => measureWebhooks(folder))
  return { title: 'Webhooks: to a local HTTPS endpoint, signed and written down', rows }
}

async function asking(size: number): Promise<Section> {
  say(`bench: ${count(size)} demo sessions and questions about them …`)
  const { rows, ...facts } = await inFolder((folder) => measureAsking(folder, size, days))
  const title = `Asking: ${count(facts.sessions)} sessions in ${count(days)} days (demo at ${count(facts.demoSessionsASecond)} a second, ${count(facts.bytesAView)} bytes on disk a view)`
  return { title, rows, ...facts }
}

async function overviewing(size: number): Promise<Section> {
  say(`bench: the overview of ${count(size)} demo sessions …`)
  const { rows, sessions } = await inFolder((folder) => measureOverview(folder, size, days))
  return { title: `Overview: ${count(sessions)} sessions in ${count(days)} days`, rows, sessions }
}

async function painting(size: number): Promise<Section> {
  say(`bench: the overview of ${count(size)} demo sessions in Chromium …`)
  const { rows, sessions } = await inFolder((folder) => measureDashboard(folder, size, days))
  return {
    title: `Dashboard: from click to painted, ${count(sessions)} sessions in ${count(days)} days`,
    rows,
    sessions,
  }
}

async function loadingFirst(): Promise<Section> {
  say('bench: the first load of the overview on a phone, about two minutes …')
  const { rows, ...facts } = await inFolder(measureFirstLoad)
  const title = `First load: phone, processor 4× slower, slow 4G; ${count(facts.runs)} loads, ${count(facts.sessions)} sessions`
  return { title, rows, ...facts }
}

async function disturbing(): Promise<Section> {
  say('bench: strangers that ask without end, about two minutes …')
  const { rows, sessions, statuses } = await inFolder((folder) => measureHostile(folder, HOSTILE_SESSIONS, days))
  const told = Object.entries(statuses).map(([status, number]) => `${count(number)} × ${status}`)
  const title = `Strangers: ${count(sessions)} sessions in each of two properties; those of one were answered ${told.join(', ')}`
  return { title, rows, sessions, statuses }
}

async function askingContacts(): Promise<Section[]> {
  say(`bench: ${count(contacts)} contacts, in SQLite and in PostgreSQL …`)
  const homes = await inFolder((folder) => measureContacts(folder, contacts))
  return homes.map(({ rows, ...facts }) => ({
    title: `Contacts: ${count(facts.contacts)} in ${facts.home} (${count(facts.bytesAContact)} bytes on disk a contact, links and indexes among them)`,
    rows,
    ...facts,
  }))
}

async function watchingEventLoop(): Promise<Section> {
  say(`bench: the event loop beside ${count(ofRecords)} contacts, about two minutes …`)
  const rows = await inFolder((folder) => measureEventLoop(folder, ofRecords))
  return { title: `Records: delays of the event loop, ${count(ofRecords)} contacts in SQLite`, rows }
}

async function loadingLinks(): Promise<Section[]> {
  say(`bench: ${count(links)} short links, in SQLite and in PostgreSQL …`)
  const homes = await inFolder((folder) => measureLinks(folder, links))
  return homes.map(({ rows, ...facts }) => ({
    title: `Links: ${count(facts.links)} in ${facts.home} (${count(facts.bytesALink)} bytes on disk a link with its indexes, ${count(facts.memoryBytesALink)} in memory)`,
    rows,
    ...facts,
  }))
}

async function readingSlowly(): Promise<Section> {
  say('bench: readers that do not read, up to four minutes …')
  const { rows, ...facts } = await inFolder(measureSlowReaders)
  return {
    title: 'Slow readers: memory that they cost, and (refused) how many are left after two minutes',
    rows,
    ...facts,
  }
}

async function listingSites(): Promise<Section> {
  say('bench: all sites of a hundred properties, about two minutes …')
  return { title: 'All sites: 100 properties, 1,000,000 sessions, nothing cached', rows: await inFolder(measureSites) }
}

async function marking(): Promise<Section> {
  say('bench: questions with and without marks of invalid sessions, about a minute …')
  return { title: 'Invalid sessions: processor time of questions (p50 ms)', ...(await inFolder(measureMarks)) }
}

async function sharing(): Promise<Section> {
  say('bench: page views with one, two and four workers, about three minutes …')
  const rows: Row[] = []
  for (const workers of [1, 2, 4])
    rows.push(...(await inFolder((folder) => measureWorkers(folder, workers, connections))))
  return {
    title: 'Workers: page views, each counted by the rate limit; memory of all processes, shared pages once',
    rows,
  }
}

async function beside(): Promise<Section> {
  say('bench: page views on two shards of ClickHouse with one and three nodes, about eight minutes …')
  const rows: Row[] = []
  for (const acknowledge of ['insert', 'log'] as const)
    rows.push(...(await inFolder((folder) => measureNodes(folder, acknowledge))))
  return { title: 'Nodes: page views a second in all; processor time of ClickHouse for one, and its ratio', rows }
}

function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${process.platform} ${process.arch}`
}

const sections: Section[] = []
if (only.includes('load')) for (const atOnce of connections) sections.push(await writing(atOnce))
if (only.includes('redirects')) sections.push(await redirecting())
if (only.includes('forms')) sections.push(await fillingIn())
if (only.includes('strangers')) sections.push(await straining())
if (only.includes('content')) sections.push(await rendering())
if (only.includes('webhooks')) sections.push(await calling())
if (only.includes('links')) sections.push(...(await loadingLinks()))
if (only.includes('queries')) for (const size of sizes) sections.push(await asking(size))
if (only.includes('overview')) for (const size of sizes) sections.push(await overviewing(size))
if (only.includes('dashboard')) for (const size of sizes) sections.push(await painting(size))
if (only.includes('first-load')) sections.push(await loadingFirst())
if (only.includes('hostile')) sections.push(await disturbing())
if (only.includes('contacts')) sections.push(...(await askingContacts()))
if (only.includes('records')) sections.push(await watchingEventLoop())
if (only.includes('marks')) sections.push(await marking())
if (only.includes('sites')) sections.push(await listingSites())
if (only.includes('workers')) sections.push(await sharing())
if (only.includes('nodes')) sections.push(await beside())
if (only.includes('slow-readers')) sections.push(await readingSlowly())

const at = new Date().toISOString()
const file =
  values.json ?? fileURLToPath(new URL(`results/${at.slice(0, 19).replaceAll(':', '-')}.json`, import.meta.url))
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify({ at, machine: machine(), sections }, null, 2)}\n`)
process.stdout.write(`${machine()}\n${tableOf(sections)}\n\n${file}\n`)
