// One ClickHouse server in this process, until it is killed: the engine's library started with the command
// line of its server. Lives as long as its stdin is open. argv: config file, data folder, HTTP port, TCP
// port.
import { libchdbPath } from 'chdb/libchdb'
import { DataType, load, open } from 'ffi-rs'

const [configFile, folder, httpPort, tcpPort] = process.argv.slice(2)

// The query never ends by itself; the engine listens for as long as it runs.
const listen =
  'SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT sleepEachRow(1) FROM system.numbers SETTINGS max_block_size=1, max_execution_time=0'
const args = [
  'clickhouse',
  '--multiquery',
  '--listen_host=127.0.0.1',
  `--http_port=${httpPort}`,
  `--tcp_port=${tcpPort}`,
  `--path=${folder}`,
  `--config-file=${configFile}`,
  // Not Null: the server would then answer other nodes with nothing at all.
  '--output-format=TSV',
  '--function_sleep_max_microseconds_per_block=0',
  `--query=${listen}`,
]

// Never outlives the test, however that ended. The engine does not hear a softer signal.
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
// Coming here means that it stopped.
process.exit(1)
