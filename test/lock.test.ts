// What is installed is what was looked at: npm checks each package against the hash in package-lock.json, and
// one without a hash against nothing.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>
}
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => ({ name: path.replace(/^.*node_modules\//, ''), ...locked }))

/**
 * Builds for platforms other than Linux on x64 with glibc whose hashes the registry of the last update did
 * not have. A new version of one is not on the list: it comes with its hash.
 */
const knownWithout: Readonly<Record<string, string>> = {
  '@chdb/lib-': '26.7.3-stable.1',
  '@oxc-parser/binding-': '0.156.0',
  '@oxfmt/binding-': '0.78.0',
  '@oxlint/binding-': '1.94.0',
  '@oxlint-tsgolint/': '7.0.2007',
}

const isKnownWithout = ({ name, version }: { name: string; version: string }): boolean =>
  Object.entries(knownWithout).some(([start, known]) => name.startsWith(start) && version === known)

const isHere = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: Locked): boolean =>
  os.includes('linux') && cpu.includes('x64') && libc.includes('glibc')

test('every package has its hash, but for those builds of other platforms that are named', () => {
  assert.ok(packages.length > 400)
  const without = packages.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  assert.deepEqual(
    without.filter((one) => !isKnownWithout(one)).map(({ name }) => name),
    [],
  )
  assert.deepEqual(
    without
      .filter(
        (one) => one.optional !== true || isHere({ ...one, libc: one.name.includes('musl') ? ['musl'] : ['glibc'] }),
      )
      .map(({ name }) => name),
    [],
  )
  assert.ok(without.length <= 56, 'the list only gets shorter')
})
