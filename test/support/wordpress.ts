// A real WordPress with the plugin of integrations/wordpress: PHP's own server, a MariaDB of its own, all in
// a temporary folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findProgram } from '../../tools/programs.mjs'
import { takePort } from './ports.ts'
import type { Ending } from './server.ts'
import { eventually } from './site.ts'

const CORE = '/usr/share/wordpress'
const PLUGIN = new URL('../../integrations/wordpress/footfall', import.meta.url).pathname

/** What a test of the plugin needs, as Debian names its packages. */
const NEEDED = { php: 'php-cli with php-mysql', mariadbd: 'mariadb-server', 'mariadb-install-db': 'mariadb-server' }

/** Names of what is not installed; empty when the plugin can be tried. */
export function missingForWordPress(): string[] {
  const programs = Object.entries(NEEDED).filter(([name]) => findProgram(name) === undefined)
  const missing = programs.map(([, name]) => name)
  return [...new Set(existsSync(join(CORE, 'wp-load.php')) ? missing : [...missing, 'wordpress'])]
}

export interface WordPress {
  readonly url: string
  /** Runs PHP within WordPress, as a command line does. @returns what it prints. */
  php(code: string): Promise<string>
}

/** Not waited for in one piece: the service that WordPress calls is in this process. */
async function run(command: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(input)
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`${command}: ${errors}\n${out}`)
  return out
}

function stopping(t: Ending, child: ChildProcess): void {
  t.after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
}

async function startDatabase(t: Ending, folder: string): Promise<string> {
  const data = join(folder, 'db')
  const socket = join(folder, 'db.sock')
  await run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ])
  const options = [`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${socket}.pid`, '--skip-networking']
  const program = findProgram('mariadbd') ?? 'mariadbd'
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  stopping(t, spawn(program, ['--no-defaults', ...options, '--skip-grant-tables', ...user], { stdio: 'ignore' }))
  await eventually(
    async () => existsSync(socket),
    (is) => is,
  )
  return socket
}

const configOf = (socket: string, url: string): string => `<?php
define( 'DB_NAME', 'wordpress' ); define( 'DB_USER', 'root' ); define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:${socket}' ); define( 'DB_CHARSET', 'utf8mb4' ); define( 'DB_COLLATE', '' );
foreach ( array( 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ) as $name ) { define( "{$name}_KEY", 'k' ); define( "{$name}_SALT", 's' ); }
define( 'WP_HOME', '${url}' ); define( 'WP_SITEURL', '${url}' ); define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true ); define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1' );
$table_prefix = 'wp_';
defined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );
require_once ABSPATH . 'wp-settings.php';
`

/** @param stub PHP that stands for WooCommerce and Contact Form 7, which are not part of WordPress. */
export async function startWordPress(t: Ending, stub: string): Promise<WordPress> {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-wordpress-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  const site = join(folder, 'site')
  cpSync(CORE, site, { recursive: true, dereference: true, filter: (path) => !path.endsWith('wp-config.php') })
  const socket = await startDatabase(t, folder)
  const port = await takePort()
  const url = `http://127.0.0.1:${port}`
  writeFileSync(join(site, 'wp-config.php'), configOf(socket, url))
  cpSync(PLUGIN, join(site, 'wp-content/plugins/footfall'), { recursive: true })
  mkdirSync(join(site, 'wp-content/mu-plugins'), { recursive: true })
  const php = (code: string): Promise<string> => run('php', [], `<?php ${code}`)
  const load = `require '${site}/wp-load.php';`
  await php(`$db = new mysqli( null, 'root', '', '', 0, '${socket}' ); $db->query( 'CREATE DATABASE wordpress' );`)
  await php(`define( 'WP_INSTALLING', true ); ${load} require ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install( 'Shop', 'editor', 'editor@example.com', true, '', 'a quiet stone' );`)
  writeFileSync(join(site, 'wp-content/mu-plugins/stub.php'), stub)
  const theme = join(site, 'wp-content/themes/plain')
  mkdirSync(theme, { recursive: true })
  writeFileSync(join(theme, 'style.css'), '/* Theme Name: Plain */')
  writeFileSync(join(theme, 'index.php'), '<!doctype html><head><?php wp_head(); ?></head><body>Shop</body>')
  await php(`${load} switch_theme( 'plain' );`)
  await php(`${load} require ABSPATH . 'wp-admin/includes/plugin.php'; activate_plugin( 'footfall/footfall.php' );`)
  stopping(t, spawn('php', ['-S', `127.0.0.1:${port}`, '-t', site], { stdio: 'ignore' }))
  await eventually(
    async () =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  )
  return { url, php: (code) => php(`${load} ${code}`) }
}
