// Ranges and globs against slow models of themselves; and that no pattern makes a path expensive.
import assert from 'node:assert/strict'
import { isIPv4, SocketAddress } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { plainAddress } from '../kernel/addresses.ts'
import { Problem } from '../kernel/problem.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import {
  isExcludedPath,
  MAX_PATTERN_CHARACTERS,
  openGlobs,
  openRanges,
  readExcludedAddresses,
  readExcludedPaths,
  readPathGlob,
  readRange,
} from './exclusions.ts'

// ---------------------------------------------------------------- addresses

const ranges: readonly (readonly [given: string, stored: string | undefined])[] = [
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::ffff:10.0.0.1/128', '10.0.0.1'],
  ['::ffff:10.0.0.0/90', undefined],
  ['10.0.0.0/33', undefined],
  ['2001:db8::/129', undefined],
  ['10.0.0.0/', undefined],
  ['10.0.0.0/-1', undefined],
  ['10.0.0.0/8/8', undefined],
  ['10.0.0.0/255.0.0.0', undefined],
  ['10.0.0', undefined],
  ['10.0.0.1:80', undefined],
  ['[2001:db8::1]', undefined],
  ['fe80::1%eth0', undefined],
  ['example.com', undefined],
  ['loopback', undefined],
  ['*', undefined],
  ['', undefined],
  ['1'.repeat(100_000), undefined],
]

for (const [given, stored] of ranges)
  test(`the range ${JSON.stringify(given.slice(0, 40))} is ${stored === undefined ? 'refused' : `stored as ${stored}`}`, () => {
    assert.equal(readRange(given), stored)
  })

/** The bits of an address as a text of zeros and ones. */
function bitsOf(address: string): string {
  if (isIPv4(address))
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
  const { address: short } = new SocketAddress({ address, family: 'ipv6' })
  const dotted = /[\d.]+$/.exec(short)?.[0] ?? ''
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  const plain = dotted.includes('.')
    ? `${short.slice(0, -dotted.length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
    : short
  const [head = '', tail = ''] = plain.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('')
}

function isInRange(range: string, address: string): boolean {
  const [base = '', bits] = range.split('/')
  if (isIPv4(base) !== isIPv4(address)) return false
  const length = bits === undefined ? Infinity : Number(bits)
  return bitsOf(base).slice(0, length) === bitsOf(address).slice(0, length)
}

const anyAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.integer({ min: 0, max: 3 }).map((last) => `10.0.0.${last}`),
  fc.integer({ min: 0, max: 3 }).map((last) => `::${last}`),
)
const anyRange = fc.oneof(
  anyAddress,
  fc.tuple(anyAddress, fc.nat(130)).map(([address, bits]) => `${address}/${bits}`),
)

test('an address is in a range when it begins with the same bits, and a range of one family holds none of the other', () => {
  fc.assert(
    fc.property(fc.array(anyRange, { maxLength: 8 }), anyAddress, (given, address) => {
      const read = given.flatMap((text) => readRange(text) ?? [])
      const plain = plainAddress(address) ?? ''
      assert.equal(
        openRanges(read)(plain),
        read.some((range) => isInRange(range, plain)),
        `${read.join(' ')} has ${plain}`,
      )
    }),
    { numRuns: 2_000 },
  )
})

test('what is read as a range is read again as itself, and no text makes the reading throw', () => {
  const text = fc.oneof(
    anyRange,
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom('1', '.', ':', '/', '%', 'f') }),
  )
  fc.assert(
    fc.property(text, (given) => {
      const range = readRange(given)
      if (range !== undefined) assert.equal(readRange(range), range)
    }),
  )
})

// ---------------------------------------------------------------- paths

const globs: readonly (readonly [glob: string, matched: readonly string[], others: readonly string[]])[] = [
  ['/admin', ['/admin'], ['/admin/', '/Admin', '/administrator', '/x/admin']],
  ['/admin/*', ['/admin/', '/admin/users'], ['/admin', '/admin/users/1']],
  ['/admin/**', ['/admin/', '/admin/users/1'], ['/admin', '/administrator']],
  ['/admin**', ['/admin', '/administrator', '/admin/users/1'], ['/adm', '/x/admin']],
  ['/**/edit', ['/a/edit', '/a/b/edit'], ['/edit', '/a/edit/1']],
  ['/*/edit', ['/a/edit'], ['/a/b/edit']],
  ['/*-draft', ['/a-draft', '/-draft', '/a-draft-draft'], ['/a-drafts', '/a/b-draft']],
  ['/**', ['/', '/a', '/a/b'], []],
  ['/a.c', ['/a.c'], ['/abc']],
  ['/(a|b)+', ['/(a|b)+'], ['/a']],
  ['/#/admin/**', ['/#/admin/'], ['/#/user/']],
  ['/café/*', ['/caf%C3%A9/x'], ['/cafe/x']],
]

for (const [glob, matched, others] of globs)
  test(`the glob ${glob} matches ${matched.join(' ')}${others.length > 0 ? ` and not ${others.join(' ')}` : ''}`, () => {
    const matches = openGlobs([readPathGlob(glob) ?? assert.fail('it is a glob')])
    assert.deepEqual(
      matched.filter((path) => !matches(path)),
      [],
    )
    assert.deepEqual(
      others.filter((path) => matches(path)),
      [],
    )
  })

/** What a glob means, in so many words. */
function isMatched(glob: string, path: string): boolean {
  if (glob === '') return path === ''
  if (glob.startsWith('**')) return isMatched(glob.slice(2), path) || (path !== '' && isMatched(glob, path.slice(1)))
  if (glob.startsWith('*'))
    return isMatched(glob.slice(1), path) || (path !== '' && path[0] !== '/' && isMatched(glob, path.slice(1)))
  return glob[0] === path[0] && isMatched(glob.slice(1), path.slice(1))
}

test('any set of globs matches what one of them means, and nothing else', () => {
  const letters = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 12 })
  const glob = letters('a', 'b', '/', '*', '**').map((text) => `/${text}`.replace(/\*{3,}/g, '**'))
  // Many, so that their places fill more than one word of bits.
  fc.assert(
    fc.property(fc.array(glob, { maxLength: 12 }), letters('a', 'b', '/'), (given, rest) => {
      const path = `/${rest}`
      assert.equal(
        openGlobs(given)(path),
        given.some((one) => isMatched(one, path)),
        `${given.join(' ')} has ${path}`,
      )
    }),
    { numRuns: 3_000 },
  )
})

test('what is read as a glob is read again as itself, and no text makes the reading throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
      const glob = readPathGlob(`/${text}`)
      if (glob !== undefined) assert.equal(readPathGlob(glob), glob)
    }),
  )
  for (const text of [
    '',
    'admin',
    '*',
    '/a\nb',
    '/\uD800',
    'https://example.com/',
    `/${'*'.repeat(10_000)}a${'b'.repeat(200)}`,
  ])
    assert.equal(readPathGlob(text), undefined, text.slice(0, 30))
})

test('the worst patterns take as many steps for a long path as for that many short ones', () => {
  const worst = Array.from({ length: 20 }, (_, i) => `/${'**a'.repeat(60)}${i}`)
  assert.ok(worst.join('').length > MAX_PATTERN_CHARACTERS * 0.9)
  const matches = openGlobs(worst.map((glob) => readPathGlob(glob) ?? assert.fail()))
  // Any way of trying out would not come back from this one.
  assert.equal(matches(`/${'a'.repeat(2_047)}`), false)
})

test('without patterns the path is not even asked for', () => {
  assert.equal(
    isExcludedPath({ excluded_paths: [] }, () => assert.fail('asked')),
    false,
  )
})

test('every text that is no range or no glob is named, and there is an end to them', () => {
  const fails = (work: () => unknown, ...fields: string[]) =>
    assert.throws(work, (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual(Object.keys(error.errors ?? {}), fields)
      return error.kind === 'validation_failed'
    })
  fails(() => readExcludedAddresses(['10.0.0.1', 'x', '10.0.0.0/40']), 'excluded_addresses.1', 'excluded_addresses.2')
  fails(() => readExcludedPaths(['x']), 'excluded_paths.0')
  fails(() => readExcludedPaths(Array.from({ length: 101 }, (_, i) => `/${i}`)), 'excluded_paths')
  fails(() => readExcludedPaths(Array.from({ length: 21 }, (_, i) => `/${i}${'a'.repeat(195)}`)), 'excluded_paths')
  assert.deepEqual(readExcludedAddresses(['::ffff:10.0.0.1', '10.0.0.1']), ['10.0.0.1'])
})
