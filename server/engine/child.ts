// The process of the embedded ClickHouse: the engine's library, started with the command line of its server.
// It listens on loopback until it is asked to end, or until the process that started it is gone.
// argv: file of the server's settings, folder of the data, port.
import { writeFileSync } from 'node:fs'
import { libchdbPath } from 'chdb/libchdb'
import { DataType, load, open } from 'ffi-rs'
import { LISTEN } from './listen.ts'

/** When memory runs out, the kernel ends this process rather than the one that takes visitors' hits. */
const OOM_SCORE = '500'

const [configFile, folder, port] = process.argv.slice(2)
const args = [
  'clickhouse',
  '--multiquery',
  '--listen_host=127.0.0.1',
  `--http_port=${port}`,
  `--path=${folder}`,
  `--config-file=${configFile}`,
  // Null would be the format of all answers of the server.
  '--output-format=TSV',
  '--function_sleep_max_microseconds_per_block=0',
  `--query=${LISTEN}`,
]

process.umask(0o077)
try {
  writeFileSync('/proc/self/oom_score_adj', OOM_SCORE)
} catch {
  // no such thing on this system
}
// A terminal and a supervisor signal every process of the service: this one ends after the last insert.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume()

open({ library: 'chdb', path: libchdbPath() })
await load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  runInNewThread: true,
})
process.exit(0)
