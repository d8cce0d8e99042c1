// `footfall serve`: the same server as `npm start`, in this process.
import { serve as start } from '../server/main.ts'
import { readOptions, write } from './command.ts'

const usage = `footfall serve

Runs the server until SIGTERM or SIGINT. Settings come from the environment: docs/settings.md. Logs are JSON lines.`

/** @returns 0 at once: the server keeps the process alive and ends it. */
export async function serve(args: string[]): Promise<number> {
  const { values } = readOptions(args, {})
  if (values.help) write(usage)
  else await start()
  return 0
}
