// `footfall health`: for whoever restarts a service that hangs, as a container's health check does.
import { readConfig } from '../server/config.ts'
import { askService } from './doctor-service.ts'
import { answer, readOptions, write } from './command.ts'

const usage = `footfall health [--ready] [--json]

Checks whether the service on this machine (HOST and PORT) is alive. Exit code 0 if it is, 1 if not.

  --ready   also checks that both databases respond and DATA_DIR is writable: whether to send traffic, not whether to restart`

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
