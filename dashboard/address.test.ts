// Addresses as they are shown: readable, never another address than the one that is kept, and without what
// cannot be seen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isolated, keptAddress, shownAddress } from './address.ts'

const shown: Readonly<Record<string, string>> = {
  '/': '/',
  '/pricing': '/pricing',
  '/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7': '/مرحبا',
  '/%F0%9F%A6%8A': '/🦊',
  '/caf%C3%A9': '/café',
  '/%7Bx%7D': '/{x}',
  '/#/%C3%BCber': '/#/über',
  // Separators stay apart, in the case in which they were written.
  '/a%2Fb%3fc%23d%25e': '/a%2Fb%3fc%23d%25e',
  'https://example.com/%C3%A9?q=a%26b%3Dc': 'https://example.com/é?q=a%26b%3Dc',
  // Escapes that spell nothing.
  '/100%': '/100%',
  '/%zz%C3%': '/%zz%C3%',
  '/%C3%28': '/%C3(',
  '/%ED%A0%80': '/%ED%A0%80',
  '/%C0%AF': '/%C0%AF',
  '/%F0%9F%A6': '/%F0%9F%A6',
  // No new escape comes into being.
  '/%2%35': '/%2%35',
  '/%%32%35': '/%%325',
  '/%2541': '/%2541',
  // What cannot be seen is shown as what it is.
  '/a%20b': '/a%20b',
  '/%00%0A%7F': '/%00%0A%7F',
  '/%E2%80%AEgpj.exe': '/%E2%80%AEgpj.exe',
  '/\u202Egpj\u0007': '/%E2%80%AEgpj%07',
  '/%EF%BB%BFx': '/%EF%BB%BFx',
  '/\uD800': '/%EF%BF%BD',
  // Joiners are letters' own.
  '/%D9%85%DB%8C%E2%80%8C%D8%AE': '/می\u200Cخ',
}

test('addresses are shown as people read them', () => {
  for (const [kept, words] of Object.entries(shown)) assert.equal(shownAddress(kept), words, kept)
})

const escape = fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
const escapedText = fc.string({ unit: 'grapheme' }).map((text) => encodeURIComponent(text.toWellFormed()))
const anyAddress = fc
  .array(
    fc.oneof(
      escape,
      escapedText,
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('%', '/', '%2', '%2F', '%25'),
    ),
  )
  .map((parts) => parts.join(''))

/** Every valid escape read, whatever is broken kept. */
const meaningOf = (address: string): string => {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

test('whatever was collected can be shown, without controls and marks of direction', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      const words = shownAddress(address)
      assert.doesNotMatch(words, /[\p{Cc}\p{Cs}\p{Z}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u)
      assert.equal(shownAddress(words), words, 'shown twice is shown once')
    }),
    { numRuns: 2000 },
  )
})

const countOf = (address: string, part: RegExp): number => address.match(part)?.length ?? 0

test('separators stay encoded, and what is shown is the address that is kept', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      const words = shownAddress(address)
      for (const part of [/%2F/gi, /%3F/gi, /%23/g, /%25/g, /[/?#]/g])
        assert.equal(countOf(words, part), countOf(address, part), `${part} of ${words}`)
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(escape, escapedText)), (parts) => {
      const address = `/${parts.join('/')}`
      if (meaningOf(address) === address) return
      assert.equal(meaningOf(shownAddress(address)), meaningOf(address))
    }),
    { numRuns: 2000 },
  )
})

test('broken escapes stay as they are', () => {
  const broken = fc.constantFrom('%', '%4', '%zz', '%C3%28'.slice(0, 3), '%ED%A0%80', '%C0%AF', '%FF')
  fc.assert(fc.property(broken, (part) => assert.equal(shownAddress(`/a${part}/`), `/a${part}/`)))
})

test('what is typed is looked for as it is kept', () => {
  assert.equal(keptAddress('/café und mehr'), '/caf%C3%A9%20und%20mehr')
  assert.equal(keptAddress('/a%2Fb?c'), '/a%2Fb?c')
  assert.equal(keptAddress('\uD800'), '%EF%BF%BD')
  fc.assert(fc.property(fc.webPath(), (path) => assert.equal(keptAddress(path), path)))
})

test('only what may run the other way is isolated', () => {
  assert.equal(isolated('/pricing'), '/pricing')
  assert.equal(isolated('/مرحبا'), '\u2068/مرحبا\u2069')
})
