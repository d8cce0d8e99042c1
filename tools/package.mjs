// `npm run package`: the service as one archive that needs nothing but Linux with glibc: Node, what it runs
// on, the built pages, and bin/footfall. The same files give the same bytes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  createReadStream,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBrowser } from './build-browser.mjs'
import { buildDashboard } from './build-dashboard.mjs'
import { buildServer } from './build-server.mjs'
import { nodePackage, ownFiles, packageFiles } from './package-files.mjs'
import { fail, npm, root, setUp } from './setup.mjs'

const usage = `npm run package -- [options]

  --arch x64|arm64      for which processors; of this machine when left out
  --out FOLDER          where the archive is written; dist/packages when left out
  --folder FOLDER       no archive: everything as files in a new folder
  --no-compression      a .tar instead of a .tar.gz
  --without-city-data   130 MB less; visitors have no country, region and city, unless GEO_DIR has the data
  --without-node        bin/footfall takes the Node of the machine, 24 or newer`

/** A program that is far faster than it is small: 6 is its own default. */
const GZIP = ['gzip', ['-n', '-6']]

/**
 * Starts the service by the Node beside it, else by that of the machine.
 * @param service its folder, from the root
 */
const launcherOf = (service) => `#!/bin/sh
# Footfall's command line; "footfall serve" is the service.
here=$(dirname "$(dirname "$(readlink -f "$0")")")
node=$here/node/bin/node
[ -x "$node" ] || node=node
# One arena of memory for each of some fifty threads would keep tens of megabytes that nobody uses.
export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-2}"
exec "$node" "$here/app/${service}/footfall.js" "$@"
`

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: process.arch },
    out: { type: 'string', default: join(root, 'dist', 'packages') },
    folder: { type: 'string' },
    'no-compression': { type: 'boolean', default: false },
    'without-city-data': { type: 'boolean', default: false },
    'without-node': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const say = (line) => console.error(line)

/** Links where the file system can: the files are only read. */
function link(from, to) {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

function place(from, to, files, put) {
  for (const folder of new Set(files.map((file) => dirname(file)))) mkdirSync(join(to, folder), { recursive: true })
  for (const file of files) put(join(from, file), join(to, file))
}

/** What the sources say of themselves, without what is needed to build and test them. */
function ownPackage() {
  const { name, version, description, license, type } = own
  return `${JSON.stringify({ name, version, private: true, description, license, type }, null, 2)}\n`
}

/**
 * @param service the folder of the built service, from the root
 * @param installed the folder whose node_modules is for the wanted processors
 * @param put how a file gets there
 */
function fill(folder, service, installed, put) {
  const withCityData = !values['without-city-data']
  const { app, beside } = ownFiles(root, service)
  place(root, join(folder, 'app'), app, put)
  writeFileSync(join(folder, 'app', 'package.json'), ownPackage())
  place(root, folder, beside, put)
  place(installed, folder, packageFiles(installed, values.arch, { withCityData }), put)
  if (!values['without-node']) {
    const node = join(installed, 'node_modules', nodePackage(values.arch))
    place(node, join(folder, 'node'), ['bin/node', 'LICENSE'], put)
  }
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'footfall'), launcherOf(service))
  chmodSync(join(folder, 'bin', 'footfall'), 0o755)
}

/** A pipe into a file, without the shell whose quoting depends on names. */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (status !== 0) fail(`package: ${command} did not succeed${error ? ` (${error.message})` : ''}`)
}

/** Nothing of the machine or the moment goes in: names in order, no times, owners or modes of their own. */
function archive(folder, file) {
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--hard-dereference']
  const mode = '--mode=u=rwX,go=rX'
  run('tar', ['--format=ustar', ...fixed, mode, '-cf', file, '-C', dirname(folder), relative(dirname(folder), folder)])
  if (values['no-compression']) return file
  run(GZIP[0], [...GZIP[1], '-f', file])
  return `${file}.gz`
}

async function hashOf(file) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** npm chooses the packages of other processors as it does those of this machine. */
async function installFor(arch, folder) {
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file))
  say(`package: installing what ${arch} needs`)
  const target = ['--os=linux', `--cpu=${arch}`, '--libc=glibc']
  const code = await npm(['ci', '--omit=dev', '--ignore-scripts', '--loglevel=error', ...target], folder)
  if (code !== 0) fail('package: npm ci did not succeed')
}

async function withInstalled(use) {
  if (values.arch === process.arch) return use(root)
  const folder = mkdtempSync(join(root, 'dist', 'packages-'))
  try {
    await installFor(values.arch, folder)
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns the path of the archive. */
async function writeArchive(service, installed) {
  const name = `footfall-${own.version}-linux-${values.arch}${values['without-city-data'] ? '-without-city-data' : ''}`
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  mkdirSync(join(root, 'dist'), { recursive: true })
  const draft = mkdtempSync(join(root, 'dist', 'package-'))
  try {
    mkdirSync(join(draft, name))
    fill(join(draft, name), service, installed, link)
    const file = archive(join(draft, name), join(out, `${name}.tar`))
    writeFileSync(`${file}.sha256`, `${await hashOf(file)}  ${relative(out, file)}\n`)
    return file
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

async function main() {
  if (values.help) return console.log(usage)
  if (process.platform !== 'linux') fail('package: only on Linux')
  if (!['x64', 'arm64'].includes(values.arch)) fail('package: --arch is x64 or arm64')
  await setUp(say, { dev: false })
  buildBrowser({ say })
  buildDashboard({ say })
  const service = relative(root, await buildServer({ say }))
  return withInstalled(async (installed) => {
    if (values.folder === undefined) return console.log(await writeArchive(service, installed))
    mkdirSync(values.folder, { recursive: true })
    fill(resolve(values.folder), service, installed, (from, to) => cpSync(from, to))
    return console.log(resolve(values.folder))
  })
}

await main().catch((error) => fail(`package: ${error.message}`))
