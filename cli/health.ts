// `footfall health`: for whoever restarts a service that hangs, as a container's health check does.
import { readConfig } from '../server/config.ts'
import { askService } from './doctor-service.ts'
import { answer, readOptions, write } from './command.ts'

const usage = `footfall health [--ready] [--json]

Asks the service on this machine, at HOST and PORT, whether it is alive. Exit code 0: it is; 1: it is not, or does not answer.

  --ready   whether both stores answer and DATA_DIR takes writes, too: not a reason to restart it, but one to send nobody there`

async function isWell(path: string): Promise<boolean> {
  try {
    return (await askService({ ...readConfig(), adminToken: null }, path)).ok
  } catch {
    return false
  }
}

/** @returns 0 when the service is well. */
export async function health(args: string[]): Promise<number> {
  const { values } = readOptions(args, { ready: { type: 'boolean', default: false } })
  if (values.help) {
    write(usage)
    return 0
  }
  const isOk = await isWell(values.ready ? '/readyz' : '/healthz')
  answer(values.json, { ok: isOk }, [isOk ? 'OK' : 'does not answer as it should'])
  return isOk ? 0 : 1
}
