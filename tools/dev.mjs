// `npm run dev`: the service, restarted whenever one of its sources changes, and Vite, which serves the
// dashboard's sources and forwards everything else to the service. Ctrl-C ends both.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildBrowser } from './build-browser.mjs'
import { environment, root, runtime, setUp } from './setup.mjs'

await setUp(undefined, { dev: false })
buildBrowser()

const port = process.env.PORT ?? '8080'
const env = environment({
  PORT: port,
  FOOTFALL_SERVICE: process.env.FOOTFALL_SERVICE ?? `http://127.0.0.1:${port}`,
  // Links into the dashboard, including the one for the first owner, lead to the sources.
  DASHBOARD_URL: process.env.DASHBOARD_URL ?? 'http://localhost:5173',
})
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const programs = [
  ['--watch', join(root, 'server', 'main.ts')],
  [vite, join(root, 'dashboard')],
].map((args) => spawn(runtime(), args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }))

const end = () => programs.forEach((program) => program.kill())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
for (const program of programs) {
  program.on('error', (error) => console.error(`dev: ${error.message}`))
  program.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    end() // one of them alone is of no use
  })
}
