// Which addresses may be called, over whole prefixes and in every spelling.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openGuard, RefusedAddress } from './guard.ts'
import { openRanges } from './ranges.ts'

const guard = openGuard([])

/**
 * A second writing of what is refused, as first number and bits, so that a slip in the one does not hide in
 * the other.
 */
const badIpv4: readonly (readonly [number, number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc01fc400, 24],
  [0xc034c100, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc0af3000, 24],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
]

const badIpv6: readonly (readonly [bigint, number])[] = [
  [0x20010000n, 23],
  [0x20010db8n, 32],
  [0x20020000n, 16],
  [0x3ffe0000n, 16],
  [0x3fff0000n, 20],
]
const as112 = 0x2620_004f_8000n

const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
const groups = (value: bigint): string[] =>
  Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - at * 16)) & 0xffffn).toString(16))
const plain = (value: bigint): string => groups(value).join(':')

/** The whole of IPv6 text: full, padded, upper-case, with the dotted tail, shortened by URL(). */
function spellings(value: bigint): string[] {
  const all = groups(value)
  const tail = dotted(Number(value & 0xffffffffn))
  return [
    all.join(':'),
    all.map((group) => group.padStart(4, '0').toUpperCase()).join(':'),
    [...all.slice(0, 6), tail].join(':'),
    URL.parse(`https://[${all.join(':')}]`)!.hostname.slice(1, -1),
  ]
}

/** What URL() makes of the ways in which a host can be an IPv4 address. */
function hosts(value: number): string[] {
  const [a, b, c, d] = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255) as [number, number, number, number]
  const octal = (part: number): string => `0${part.toString(8)}`
  const texts = [
    dotted(value),
    `${dotted(value)}.`,
    `${value >>> 0}`,
    `0x${(value >>> 0).toString(16)}`,
    `0${(value >>> 0).toString(8)}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((part) => `0X${part.toString(16)}`).join('.'),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${octal(a)}.${b}.0x${((c << 8) | d).toString(16)}`,
    dotted(value).replaceAll('.', '。'),
    dotted(value).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    `%3${dotted(value)[0]}${dotted(value).slice(1)}`,
    `[::ffff:${dotted(value)}]`,
  ]
  return texts.map((text) => URL.parse(`https://${text}/`)!.hostname)
}

const noLookup = (): Promise<string[]> => assert.fail('an address is not looked up')
const isRefused = (hostname: string, using = guard): Promise<boolean> =>
  using.vet(hostname, noLookup).then(
    () => false,
    (error: unknown) => error instanceof RefusedAddress,
  )

const inPrefix = (first: number, bits: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((host) => first + host)
const inPrefix6 = (first: bigint, known: number, bits: number): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: 0n, max: (1n << BigInt(128 - bits)) - 1n }).map((host) => (first << BigInt(128 - known)) + host)

const isBadIpv4 = (value: number): boolean =>
  badIpv4.some(([first, bits]) => value >= first && value < first + 2 ** (32 - bits))
const isBadIpv6 = (value: bigint): boolean =>
  value >> 125n !== 1n ||
  value >> 80n === as112 ||
  ((value >> 32n) & 0xfdffffffn) === 0x00005efen ||
  badIpv6.some(([first, bits]) => value >> BigInt(128 - bits) === first >> BigInt(32 - bits))

test('every address of a refused IPv4 prefix is refused, however a URL writes it', async () => {
  for (const [first, bits] of badIpv4) {
    await fc.assert(
      fc.asyncProperty(inPrefix(first, bits), async (value) => {
        for (const host of hosts(value)) assert.ok(await isRefused(host), `${dotted(value)} as ${host}`)
      }),
      { numRuns: 40 },
    )
  }
})

test('an IPv4 address is let through exactly when it is in no refused prefix', () => {
  const near = fc
    .constantFrom(
      ...badIpv4.flatMap(([first, bits]) => [first - 1, first, first + 2 ** (32 - bits) - 1, first + 2 ** (32 - bits)]),
    )
    .filter((value) => value >= 0 && value < 2 ** 32)
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), near), (value) => {
      assert.equal(guard.lets(dotted(value)), !isBadIpv4(value), dotted(value))
    }),
    { numRuns: 3000 },
  )
})

test('a public IPv4 address is let through in every spelling but the mapped one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }).filter((value) => !isBadIpv4(value)),
      async (value) => {
        for (const host of hosts(value))
          assert.equal(await isRefused(host), host.startsWith('['), `${dotted(value)} as ${host}`)
      },
    ),
  )
})

test('an IPv6 address is let through exactly when it is global unicast and nothing special, however it is written', () => {
  const anywhere = inPrefix6(0n, 0, 0)
  const global = inPrefix6(1n, 3, 3)
  const special = fc.oneof(
    ...badIpv6.map(([first, bits]) => inPrefix6(first, 32, bits)),
    inPrefix6(as112, 48, 48),
    inPrefix6(0xfe80n, 16, 10),
    inPrefix6(0xfec0n, 16, 10),
    inPrefix6(0xfcn, 8, 7),
    inPrefix6(0xffn, 8, 8),
    inPrefix6(0x5f00n, 16, 16),
    inPrefix6(0x0100n, 16, 64),
    inPrefix6(0x0064ff9b0001n, 48, 48),
  )
  const isNat64 = (value: bigint): boolean => value >> 32n === 0x0064ff9b_00000000_00000000n
  fc.assert(
    fc.property(
      fc.oneof(anywhere, global, special).filter((value) => !isNat64(value)),
      (value) => {
        for (const text of spellings(value)) assert.equal(guard.lets(text), !isBadIpv6(value), text)
      },
    ),
    { numRuns: 3000 },
  )
})

/** The forms of IPv6 address that carry an IPv4 one. */
const carriers: Readonly<Record<string, (ipv4: bigint) => bigint>> = {
  'IPv4-mapped': (ipv4) => (0xffffn << 32n) | ipv4,
  'IPv4-compatible': (ipv4) => ipv4,
  SIIT: (ipv4) => (0xffffn << 48n) | ipv4,
  '6to4': (ipv4) => (0x2002n << 112n) | (ipv4 << 80n) | 1n,
  'Teredo, the client': (ipv4) => (0x20010000n << 96n) | (0x08080808n << 64n) | (ipv4 ^ 0xffffffffn),
  'Teredo, the server': (ipv4) => (0x20010000n << 96n) | (ipv4 << 64n) | 0xf7f7f7f7n,
  ISATAP: (ipv4) => (0x2a01_04f8n << 96n) | (0x00005efen << 32n) | ipv4,
  'ISATAP, global': (ipv4) => (0x2a01_04f8n << 96n) | (0x02005efen << 32n) | ipv4,
  'local NAT64, /96': (ipv4) => (0x0064ff9b0001n << 80n) | ipv4,
  'local NAT64, /64': (ipv4) => (0x0064ff9b0001n << 80n) | (7n << 64n) | (ipv4 << 24n),
  'local NAT64, /56': (ipv4) =>
    (0x0064ff9b0001n << 80n) | (7n << 72n) | ((ipv4 >> 24n) << 64n) | ((ipv4 & 0xffffffn) << 32n),
  'local NAT64, /48': (ipv4) => (0x0064ff9b0001n << 80n) | ((ipv4 >> 16n) << 64n) | ((ipv4 & 0xffffn) << 40n),
}

test('no address inside another is let through, whatever it is', () => {
  for (const [name, carry] of Object.entries(carriers)) {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
        for (const text of spellings(carry(BigInt(value)))) assert.equal(guard.lets(text), false, `${name}: ${text}`)
      }),
    )
  }
})

test('a NAT64 address is judged by the address inside', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), inPrefix(0x0a000000, 8)), (value) => {
      const nat64 = (0x0064ff9bn << 96n) | BigInt(value)
      for (const text of spellings(nat64)) assert.equal(guard.lets(text), !isBadIpv4(value), text)
    }),
    { numRuns: 1000 },
  )
})

test('what is no plain address is not let through', () => {
  const texts = [
    '',
    ' ',
    'localhost',
    '127.1',
    '8.8.8.8 ',
    '8.8.8.8:443',
    '[2a00::1]',
    '2a00::1%eth0',
    'fe80::1%1',
    '::g',
    '8.8.8',
  ]
  for (const text of texts) assert.equal(guard.lets(text), false, text)
})

test('a name passes only with all its addresses', async () => {
  const answers = fc.array(fc.constantFrom('8.8.8.8', '1.1.1.1', '2a00:1450::1', '64:ff9b::808:808'), { maxLength: 5 })
  const bad = fc.constantFrom('127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:8.8.8.8', 'fe80::1%eth0', '')
  await fc.assert(
    fc.asyncProperty(answers, bad, answers, async (before, one, after) => {
      await assert.rejects(
        guard.vet('hooks.example', async () => [...before, one, ...after]),
        RefusedAddress,
      )
      const good = [...before, '8.8.4.4', ...after]
      assert.deepEqual(await guard.vet('hooks.example', async () => good), good)
    }),
  )
  await assert.rejects(
    guard.vet('hooks.example', async () => []),
    { code: 'ENOTFOUND' },
  )
})

test('the allow list lets its ranges through, and nothing beside them', async () => {
  const inside = openGuard(['10.1.0.0/16', '127.0.0.1', 'fd12::/16'])
  for (const address of ['10.1.2.3', '127.0.0.1', 'fd12::5', '64:ff9b::a01:203', '8.8.8.8', '2a00::1'])
    assert.equal(inside.lets(address), true, address)
  for (const address of [
    '10.2.0.1',
    '127.0.0.2',
    'fd13::5',
    '64:ff9b::a02:203',
    '::ffff:10.1.2.3',
    '::1',
    '::127.0.0.1',
  ])
    assert.equal(inside.lets(address), false, address)
  assert.equal(await isRefused('[::ffff:7f00:1]', inside), true)
})

test('link-local addresses and the metadata services of clouds are refused whatever is allowed', () => {
  const everything = openGuard(['0.0.0.0/0', '::/0', '169.254.0.0/16', 'fe80::/10', '169.254.169.254', 'fd00:ec2::254'])
  assert.equal(everything.lets('127.0.0.1'), true)
  assert.equal(everything.lets('::1'), true)
  assert.equal(everything.lets('::ffff:10.0.0.1'), true)
  for (const address of [
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '192.0.0.192',
    '64:ff9b::a9fe:a9fe',
    '::ffff:100.100.100.200',
  ])
    assert.equal(everything.lets(address), false, address)
  fc.assert(
    fc.property(inPrefix(0xa9fe0000, 16), inPrefix6(0xfe80n, 16, 10), (ipv4, ipv6) => {
      assert.equal(everything.lets(dotted(ipv4)), false)
      for (const text of spellings(ipv6)) assert.equal(everything.lets(text), false, text)
      for (const [name, carry] of Object.entries(carriers))
        assert.equal(everything.lets(plain(carry(BigInt(ipv4)))), false, name)
    }),
  )
})

test('ranges of one family hold no address of the other', () => {
  const isIpv4 = openRanges(['0.0.0.0/0'])
  const isIpv6 = openRanges(['::/0'])
  assert.deepEqual([isIpv4('1.2.3.4'), isIpv4('::ffff:1.2.3.4'), isIpv4('2a00::1')], [true, false, false])
  assert.deepEqual([isIpv6('1.2.3.4'), isIpv6('::ffff:1.2.3.4'), isIpv6('2a00::1')], [false, true, true])
  assert.throws(() => openRanges(['linklocal']), /no range/)
})
