// One ClickHouse server in this process, until it is killed. Lives as long as its stdin is open. argv: config
// file, data folder, HTTP port, TCP port.
import { runServer } from '../../server/engine/library.ts'

const [configFile = '', folder = '', httpPort = '', tcpPort = ''] = process.argv.slice(2)

// Never outlives the test, however that ended. The engine does not hear a softer signal.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume()

await runServer({ configFile, folder, httpPort, tcpPort })
// Coming here means that it stopped.
process.exit(1)
