// Makes the tables of the facts store: forward only, each step idempotent, so that a start that was cut short
// is simply done again. In a cluster each node holds a part of every table (`views_local`) and a view over
// all parts (`views`).
import type { Facts, FactsLayout } from '../facts.ts'
import { listMigrations } from './folder.ts'

export interface FactTableDefinition {
  /** The column by which rows are spread over a cluster. Rows that fold into one must agree in it. */
  readonly shardBy: string
  /** Column definitions and indices, as in CREATE TABLE. */
  readonly columns: string
  readonly engine: 'AggregatingMergeTree' | 'MergeTree' | `ReplacingMergeTree(${string})`
  /** Left out: the Monday of `day`, which must then be among the columns. */
  readonly partitionBy?: string
  readonly orderBy: string
}

export interface FactViewDefinition {
  readonly from: string
  readonly to: string
  /** `{table}` stands for the table of that name, or its part on the node. */
  readonly select: string
}

export interface FactMigration {
  readonly name: string
  readonly tables: Readonly<Record<string, FactTableDefinition>>
  /** Columns that a table of an earlier migration gets, as in ALTER TABLE … ADD COLUMN. */
  readonly columns?: Readonly<Record<string, readonly string[]>>
  readonly views: Readonly<Record<string, FactViewDefinition>>
  /** Tables of earlier migrations that nobody needs any more. */
  readonly drops?: readonly string[]
  /**
   * The same of columns, by table: not on servers that were filled before, where nodes of the version before
   * may still read them.
   */
  readonly dropsColumns?: Readonly<Record<string, readonly string[]>>
}

/** In their order. */
export async function listFactMigrations(): Promise<readonly FactMigration[]> {
  const listed = await listMigrations<FactMigration>(new URL('./facts/', import.meta.url))
  return Promise.all(listed.map(({ load }) => load()))
}

/**
 * A partition that got no rows for this long is merged into one part, which FINAL then reads without any
 * work.
 */
const MERGE_AFTER_SECONDS = 300
/**
 * A merge takes parts that together are this many times the largest of them. The default of 5 rewrote every
 * row twelve times in a minute of page views; above, FINAL has more parts to fold.
 */
const MERGE_BASE = 10

/**
 * @param only the migrations of an older version, for a backup that it has made.
 * @throws Error when the store was made by a newer program.
 */
export async function migrateFacts(facts: Facts, only?: ReadonlySet<string>): Promise<void> {
  // With a replica away nothing could be created; nothing has to be, as a rule.
  if (facts.layout.isReplicated && (await dueFactMigrations(facts)).length === 0) return assertKnown(facts)
  await facts.command(
    'migrateFacts ledger',
    'CREATE TABLE IF NOT EXISTS migrations (name String, applied_at DateTime DEFAULT now()) ENGINE = ReplacingMergeTree ORDER BY name',
  )
  const migrations = await listFactMigrations()
  const noted = await listNoted(facts)
  const applied = appliedOf(noted)
  refuseUnknown(applied, migrations)
  const isAlone = facts.layout.database === null || noted.length === 0
  for (const migration of migrations) {
    if (applied.has(migration.name) || only?.has(migration.name) === false) continue
    for (const statement of [
      ...statementsOf(migration, facts.layout),
      ...(isAlone ? dropsOf(migration, facts.layout) : []),
    ])
      await facts.command(`migrateFacts ${migration.name}`, statement)
    await facts.command('migrateFacts ledger', `INSERT INTO migrations (name) SELECT '${migration.name}'`)
  }
}

const assertKnown = async (facts: Facts): Promise<void> =>
  refuseUnknown(await listApplied(facts), await listFactMigrations())

function refuseUnknown(applied: ReadonlySet<string>, migrations: readonly FactMigration[]): void {
  const unknown = [...applied].find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown)
    throw new Error(
      `The facts store has the migration ${unknown}, which this version does not know. Use a newer version.`,
    )
}

/** Changes nothing. @returns the names of the migrations still to be run. */
export async function dueFactMigrations(facts: Facts): Promise<string[]> {
  const [ledger] = await facts.query<{ result: number }>('dueFactMigrations', 'EXISTS TABLE migrations')
  const applied = ledger?.result === 1 ? await listApplied(facts) : new Set<string>()
  const migrations = await listFactMigrations()
  return migrations.filter((migration) => !applied.has(migration.name)).map((migration) => migration.name)
}

interface Noted {
  readonly name: string
  /** Whether every node has it; of replicas, every one that answers. */
  readonly everywhere: number
}

/** The migrations that some node has. */
async function listNoted(facts: Facts): Promise<Noted[]> {
  const { cluster, isReplicated } = facts.layout
  if (!cluster) return facts.query<Noted>('migrateFacts', 'SELECT DISTINCT name, 1 AS everywhere FROM migrations')
  return facts.query<Noted>(
    'migrateFacts',
    `SELECT name, count() >= (SELECT uniqExact(_shard_num) FROM clusterAllReplicas('${cluster}', system.one)) AS everywhere
     FROM (SELECT name, _shard_num FROM clusterAllReplicas('${cluster}', currentDatabase(), 'migrations') GROUP BY name, _shard_num) GROUP BY name
     SETTINGS skip_unavailable_shards = ${isReplicated ? 1 : 0}`,
  )
}

const appliedOf = (noted: readonly Noted[]): Set<string> =>
  new Set(noted.filter(({ everywhere }) => everywhere === 1).map(({ name }) => name))

const listApplied = async (facts: Facts): Promise<Set<string>> => appliedOf(await listNoted(facts))

/** The table that holds the rows on a node: itself, or in a cluster the node's part of it. */
export function storedName(table: string, layout: FactsLayout): string {
  return layout.cluster ? `${table}_local` : table
}

/**
 * Where the tables of facts are, for all replicas of a shard, and which of them a node is. No name of a table
 * or database: a macro for it would change when it is renamed.
 */
function replicatedEngine(name: string, engine: FactTableDefinition['engine'], layout: FactsLayout): string {
  const [kind, given] = /^(\w+)(?:\((.*)\))?$/.exec(engine)!.slice(1)
  const path = `/clickhouse/footfall/${layout.cluster}/{shard}/${layout.database}/${name}`
  return `Replicated${kind}(${[`'${path}'`, "'{replica}'", ...(given ? [given] : [])].join(', ')})`
}

/**
 * Copies of days and their ledger are each node's own: it makes them of its own rows, and a replica that lags
 * behind must not be told of a copy before it has it.
 */
const isOfNode = (table: string): boolean => table.startsWith('settled')

/** A repeated insert must go through the folds again, since half of it may be missing. They count it once. */
const NO_DEDUPLICATION = 'replicated_deduplication_window = 0, replicated_deduplication_window_for_async_inserts = 0'

function createTable(name: string, table: FactTableDefinition, layout: FactsLayout): string {
  const stored = storedName(name, layout)
  const sync = layout.fsync ? 1 : 0
  const isReplicated = layout.isReplicated === true && !isOfNode(name)
  return `CREATE TABLE IF NOT EXISTS ${stored} (${table.columns})
      ENGINE = ${isReplicated ? replicatedEngine(stored, table.engine, layout) : table.engine} PARTITION BY ${table.partitionBy ?? 'toMonday(day)'} ORDER BY (${table.orderBy})
      SETTINGS fsync_after_insert = ${sync}, fsync_part_directory = ${sync},
        min_age_to_force_merge_seconds = ${MERGE_AFTER_SECONDS}, min_age_to_force_merge_on_partition_only = 1,
        merge_selector_base = ${MERGE_BASE}${isReplicated ? `, ${NO_DEDUPLICATION}` : ''}`
}

/** Every statement of a migration, in order, but for those of dropsOf. */
export function statementsOf(migration: FactMigration, layout: FactsLayout): string[] {
  const stored = (table: string) => storedName(table, layout)
  const tables = Object.entries(migration.tables).map(([name, table]) => createTable(name, table, layout))
  const spread = Object.entries(layout.cluster ? migration.tables : {}).map(
    ([name, table]) => `CREATE TABLE IF NOT EXISTS ${name} AS ${stored(name)}
      ENGINE = Distributed('${layout.cluster}', currentDatabase(), '${stored(name)}', ${table.shardBy})`,
  )
  const added = Object.entries(migration.columns ?? {}).flatMap(([name, columns]) =>
    // The table over all nodes is asked by name, so it must know the column too.
    [...new Set([stored(name), name])].map(
      // One statement: the engine reads the whole definition again with each.
      (table) => `ALTER TABLE ${table} ${columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`,
    ),
  )
  const views = Object.entries(migration.views).map(
    ([name, view]) =>
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name} TO ${stored(view.to)} AS ${view.select.trim().replaceAll(`{${view.from}}`, stored(view.from))}`,
  )
  const dropped = (migration.drops ?? []).flatMap((name) =>
    [...new Set([name, stored(name)])].map((table) => `DROP TABLE IF EXISTS ${table} SYNC`),
  )
  return [...tables, ...spread, ...added, ...views, ...dropped]
}

const dropsOf = ({ dropsColumns = {} }: FactMigration, layout: FactsLayout): string[] =>
  Object.entries(dropsColumns).flatMap(([name, columns]) =>
    [...new Set([name, storedName(name, layout)])].map(
      (table) => `ALTER TABLE ${table} ${columns.map((column) => `DROP COLUMN IF EXISTS \`${column}\``).join(', ')}`,
    ),
  )
