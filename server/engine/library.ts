// ClickHouse's library, started with the command line of its server: the one way in which it listens. It has
// no call that starts a server.
import { libchdbPath } from 'chdb/libchdb'
import { DataType, load, open } from 'ffi-rs'

export interface Listening {
  /** Of the server's settings. */
  readonly configFile: string
  /** Of the data. */
  readonly folder: string
  /** On loopback. */
  readonly httpPort: string
  /** For other nodes of a cluster. */
  readonly tcpPort?: string
}

/** Resolves once it has ended: with the query by which it listens, which never ends by itself. */
export async function runServer({ configFile, folder, httpPort, tcpPort }: Listening): Promise<void> {
  const protocols = tcpPort === undefined ? ['HTTP'] : ['HTTP', 'TCP']
  const listen = protocols.map((protocol) => `SYSTEM START LISTEN ${protocol}; `).join('')
  const args = [
    'clickhouse',
    '--multiquery',
    '--listen_host=127.0.0.1',
    `--http_port=${httpPort}`,
    ...(tcpPort === undefined ? [] : [`--tcp_port=${tcpPort}`]),
    `--path=${folder}`,
    `--config-file=${configFile}`,
    // Not Null: other nodes would then be answered with nothing at all.
    '--output-format=TSV',
    '--function_sleep_max_microseconds_per_block=0',
    `--query=${listen}SELECT sleepEachRow(0.1) FROM system.numbers SETTINGS max_block_size=1, max_execution_time=0`,
  ]
  open({ library: 'chdb', path: libchdbPath() })
  await load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [args.length, args],
    runInNewThread: true,
  })
}
