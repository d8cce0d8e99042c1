// Reverse proxies as docs/proxies.md describes them: the recipe as it stands there, on other ports, with a
// certificate of its own, and with the little around it that a system's own configuration would have.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificateFor } from './endpoint.ts'
import { takePort } from './ports.ts'
import type { Ending } from './server.ts'
import { pause } from './site.ts'

/** Of the service, in the recipes. */
const HOST = 'stats.example.com'

export type ProxyName = 'nginx' | 'Caddy' | 'HAProxy' | 'Apache'

const page = readFileSync(new URL('../../docs/proxies.md', import.meta.url), 'utf8')

/** The blocks of a language, as they stand on the page. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)
}

/** Exactly one place: a recipe that says it otherwise is not the one that was meant. */
function replaceIn(text: string, replaced: Readonly<Record<string, string>>): string {
  return Object.entries(replaced).reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`the recipe does not say ${from}`)
    return done.replaceAll(from, to)
  }, text)
}

interface Place {
  readonly folder: string
  /** Of the proxy, for https. */
  readonly port: number
  /** Of the service. */
  readonly service: number
}

interface Recipe {
  /** The whole configuration. */
  readonly config: (place: Place, block: number) => string
  /** The command line, in the foreground. */
  readonly args: (file: string, place: Place) => string[]
}

const upstream = ({ service }: Place) => ({ '127.0.0.1:8080': `127.0.0.1:${service}` })
const isRoot = process.getuid?.() === 0

const nginx: Recipe = {
  config(place) {
    const { folder, port } = place
    const [site = ''] = blocks('nginx')
    const [path = ''] = blocks('nginx-path')
    const recipe = replaceIn(site, {
      ...upstream(place),
      'listen 443': `listen 127.0.0.1:${port}`,
      '/etc/ssl/': `${folder}/`,
      '  location / {': `${path}\n  location / {`,
    })
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const user = isRoot ? 'user root;' : ''
    return `daemon off; pid ${folder}/nginx.pid; error_log stderr; ${user} events {} http { access_log off; ${temporary.join(' ')}\n${recipe} }`
  },
  args: (file, { folder }) => ['-c', file, '-p', folder, '-e', 'stderr'],
}

const caddy: Recipe = {
  config(place, block) {
    const { folder, port } = place
    const around = `\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port ${port}\n\tstorage file_system ${folder}/caddy\n`
    const recipe = replaceIn(blocks('caddy')[block] ?? '', upstream(place))
    return recipe.startsWith('{\n') ? recipe.replace('{\n', `{\n${around}`) : `{\n${around}}\n${recipe}`
  },
  args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
}

const haproxy: Recipe = {
  config(place) {
    const { folder, port } = place
    return replaceIn(blocks('haproxy')[0] ?? '', {
      ...upstream(place),
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/': `${folder}/`,
    }).replace(/^/, 'global\n  maxconn 100\n\n')
  },
  args: (file) => ['-f', file, '-db'],
}

const apache: Recipe = {
  config(place) {
    const { folder, port } = place
    const recipe = replaceIn(blocks('apache')[0] ?? '', {
      ...upstream(place),
      '*:443': `127.0.0.1:${port}`,
      '/etc/ssl/': `${folder}/`,
    })
    const modules = ['mpm_event', 'authz_core', 'ssl', 'headers', 'proxy', 'proxy_http'].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    )
    const own = [`ServerRoot ${folder}`, `PidFile ${folder}/pid`, `Listen 127.0.0.1:${port}`, 'ServerName localhost']
    const logs = [`ErrorLog ${folder}/errors`, 'Mutex posixsem', ...(isRoot ? ['User www-data', 'Group www-data'] : [])]
    return [...own, ...modules, ...logs, recipe].join('\n')
  },
  args: (file) => ['-f', file, '-DFOREGROUND'],
}

const recipes: Readonly<Record<ProxyName, Recipe>> = { nginx, Caddy: caddy, HAProxy: haproxy, Apache: apache }

/** One that gets its certificates by itself may listen before it has them. */
async function isServing(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', servername: HOST, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export interface ProxyOptions {
  readonly name: ProxyName
  /** Of the program. */
  readonly path: string
  /** Where the service is. */
  readonly service: string
  /** Of the recipes of its language, the first when left out. */
  readonly block?: number
}

/** @returns the port at which it takes https on loopback; ended with the test. */
export async function startProxy(t: Ending, { name, path, service, block = 0 }: ProxyOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-proxy-'))
  const place: Place = { folder, port: await takePort(), service: Number(new URL(service).port) }
  const { key, cert } = await certificateFor([HOST, 'go.example.com'])
  writeFileSync(join(folder, 'example.com.key'), key)
  writeFileSync(join(folder, 'example.com.pem'), name === 'HAProxy' ? `${cert}\n${key}` : cert)
  const file = join(folder, 'config')
  const recipe = recipes[name]
  writeFileSync(file, recipe.config(place, block))
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(path, recipe.args(file, place), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  while (!(await isServing(place.port))) {
    if (child.exitCode !== null) throw new Error(`${name} does not take the recipe:\n${said}`)
    await pause(20)
  }
  return place.port
}
