// Server settings of the embedded engine, as the file it reads at its start.
import { KEPT_FREE_BYTES } from '../kernel/room.ts'

/** Threads wait for work that never comes in an idle store, and each keeps its stack: few of each kind. */
const pools: Readonly<Record<string, number>> = {
  background_pool_size: 2,
  background_merges_mutations_concurrency_ratio: 2,
  background_schedule_pool_size: 4,
  background_common_pool_size: 2,
  background_fetches_pool_size: 1,
  background_move_pool_size: 1,
  background_buffer_flush_schedule_pool_size: 1,
  background_message_broker_schedule_pool_size: 1,
  background_distributed_schedule_pool_size: 1,
  tables_loader_foreground_pool_size: 2,
  tables_loader_background_pool_size: 2,
  // No goal: a statement that waits for a thread which another one holds would wait for ever.
  max_thread_pool_size: 5_000,
  max_thread_pool_free_size: 8,
  max_io_thread_pool_size: 8,
  max_io_thread_pool_free_size: 1,
}

/**
 * With pools this small the engine would otherwise refuse to start or never merge whole partitions: it wants
 * this many slots free.
 */
const merges: Readonly<Record<string, number>> = {
  number_of_free_entries_in_pool_to_lower_max_size_of_merge: 1,
  number_of_free_entries_in_pool_to_execute_mutation: 1,
  number_of_free_entries_in_pool_to_execute_optimize_entire_partition: 1,
}

const MIB = 1024 * 1024

const disks = `<storage_configuration><disks><default><keep_free_space_bytes>${KEPT_FREE_BYTES}</keep_free_space_bytes></default></disks></storage_configuration>\n`

/**
 * Who is let in at all: whoever sends this header. Users and their rights are not enough: to whoever may ask
 * anything, this build's function `file` reads every file of ours, the secret among them.
 */
const handlers = (authorization: string): string => `<http_handlers>
<rule><url>/ping</url><methods>GET</methods><handler><type>static</type><status>200</status><response_content>Ok.</response_content></handler></rule>
<rule><headers><Authorization>${authorization}</Authorization></headers><handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler></rule>
</http_handlers>`

const xmlText = (text: string) => text.replace(/[<&]/g, (letter) => (letter === '<' ? '&lt;' : '&amp;'))

/**
 * @param backupDir the only place to which the engine writes backups, and from which it reads them.
 * @param usersFile see users.ts.
 * @param authorization the header of the service's own calls.
 */
export function engineConfig(options: {
  readonly memoryMb: number
  readonly backupDir: string
  readonly usersFile: string
  readonly authorization: string
}): string {
  const memory = options.memoryMb * MIB
  const settings: Record<string, number> = {
    max_server_memory_usage: memory,
    // The defaults are gigabytes. A sixteenth holds the marks of tens of millions of sessions.
    mark_cache_size: Math.floor(memory / 16),
    primary_index_cache_size: Math.floor(memory / 16),
    index_mark_cache_size: 8 * MIB,
    query_condition_cache_size: 4 * MIB,
    uncompressed_cache_size: 0,
    mmap_cache_size: 0,
    // It listens when all tables are there.
    async_load_databases: 0,
    ...pools,
  }
  return `<clickhouse>\n${elements(settings)}<merge_tree>\n${elements(merges)}</merge_tree>\n${disks}<backups><allowed_path>${xmlText(options.backupDir)}</allowed_path></backups>\n<user_directories><users_xml><path>${xmlText(options.usersFile)}</path></users_xml></user_directories>\n${handlers(options.authorization)}\n<logger><level>none</level></logger>\n</clickhouse>\n`
}

function elements(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>\n`)
    .join('')
}
