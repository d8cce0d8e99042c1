// nginx and HAProxy as owners run them, where they are installed: what is left out is said.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './delivery-nodes.ts'
import { takePort } from './ports.ts'
import type { LedgerRun } from './ledger-run.ts'
import type { Service } from './service.ts'

interface Place {
  readonly folder: string
  readonly port: number
  readonly urls: readonly string[]
}

interface Program {
  readonly name: string
  readonly config: (place: Place) => string
  readonly args: (place: Place, file: string) => readonly string[]
}

const hostOf = (url: string): string => new URL(url).host

/** As in docs/settings.md: no health check, connections kept for less than a minute. */
const nginx: Program = {
  name: 'nginx',
  config: ({ folder, port, urls }) => `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream footfall { ${urls.map((url) => `server ${hostOf(url)};`).join(' ')} keepalive 32; keepalive_timeout 50s; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://footfall; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; }
  }
}
`,
  args: ({ folder }, file) => ['-c', file, '-p', folder],
}

const haproxy: Program = {
  name: 'haproxy',
  config: ({ port, urls }) => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 3s
  retries 3
  option redispatch
listen footfall
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /readyz?scope=node
  http-check expect status 200
${urls.map((url, n) => `  server node${n} ${hostOf(url)} check inter 1s fall 2 rise 1`).join('\n')}
`,
  args: (_place, file) => ['-db', '-f', file],
}

const isInstalled = ({ name }: Program): boolean => spawnSync(name, ['-v']).status === 0

async function startProgram(run: LedgerRun, program: Program, urls: readonly string[]): Promise<Pick<Service, 'url'>> {
  const folder = join(run.folder, program.name)
  mkdirSync(folder, { recursive: true })
  const place = { folder, port: await takePort(), urls }
  const file = join(folder, `${program.name}.conf`)
  writeFileSync(file, program.config(place))
  const child = spawn(program.name, program.args(place, file), { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()))
  const gone = once(child, 'exit')
  run.scope.after(async () => {
    child.kill('SIGTERM')
    await gone
  })
  const url = `http://127.0.0.1:${place.port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program.name} ended: ${said}`)
    return (await fetch(`${url}/healthz`).catch(() => undefined))?.ok === true
  })
  return { url }
}

/** Each that is installed, ready to be started before the nodes. */
export function listRealProxies(run: LedgerRun) {
  return [nginx, haproxy].flatMap((program) => {
    if (isInstalled(program))
      return [{ name: program.name, start: (urls: readonly string[]) => startProgram(run, program, urls) }]
    process.stderr.write(`LEFT OUT: a rolling restart behind ${program.name}: it is not installed on this machine\n`)
    return []
  })
}
