// The process of the embedded ClickHouse. It listens on loopback until it is asked to end, or until the
// process that started it is gone. argv: file of the server's settings, folder of the data, port.
import { writeFileSync } from 'node:fs'
import { runServer } from './library.ts'

/** When memory runs out, the kernel ends this process rather than the one that takes visitors' hits. */
const OOM_SCORE = '500'

const [configFile = '', folder = '', httpPort = ''] = process.argv.slice(2)

process.umask(0o077)
try {
  writeFileSync('/proc/self/oom_score_adj', OOM_SCORE)
} catch {
  // no such thing on this system
}
// A terminal and a supervisor signal every process of the service: this one ends after the last insert.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume()

await runServer({ configFile, folder, httpPort })
process.exit(0)
