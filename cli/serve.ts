// `footfall serve`: the same server as `npm start`, in this process.
import { readOptions, write } from './command.ts'

const usage = `footfall serve

Runs the server until SIGTERM or SIGINT. Settings come from the environment: docs/settings.md. Logs are JSON lines.`

/** @returns 0 at once: the server keeps the process alive and ends it. */
export async function serve(args: string[]): Promise<number> {
  const { values } = readOptions(args, {})
  if (values.help) {
    write(usage)
    return 0
  }
  const server = await import('../server/main.ts')
  await server.serve('footfall')
  return 0
}
