// What may be saved as the address of an endpoint, and what is said when it may not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../kernel/problem.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import type { Lookup } from './lookup.ts'
import { checkUrl } from './url.ts'

const publicly: Lookup = async () => ['8.8.8.8', '2a00:1450::1']
const failing =
  (code: string): Lookup =>
  async () => {
    throw Object.assign(new Error(code), { code })
  }

/** The sentence about the url, or undefined when it may be saved, with or without a warning. */
async function faultOf(url: string, allow: readonly string[] = [], lookup = publicly): Promise<string | undefined> {
  try {
    const warning = await checkUrl(url, { allow }, lookup)
    if (lookup === publicly) assert.equal(warning, undefined, url)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.kind, 'validation_failed')
    assert.deepEqual(Object.keys(error.errors ?? {}), ['url'])
    return error.message
  }
}

test('a public https endpoint may be saved, on any port', async () => {
  const urls = [
    'https://hooks.example/',
    'https://hooks.example',
    'https://hooks.example:8443/a/b?c=d',
    'HTTPS://Hooks.Example/',
    'https://münchen.example/hook',
    'https://8.8.8.8/x',
    'https://[2a00:1450::1]:444/',
    `https://hooks.example/${'x'.repeat(2026)}`,
  ]
  for (const url of urls) assert.equal(await faultOf(url), undefined, url)
})

test('what is not https, carries credentials or is no URL is refused with the reason', async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['http://hooks.example/', /https:\/\//],
    ['ftp://hooks.example/', /https:\/\//],
    ['javascript:alert(1)', /https:\/\//],
    ['//hooks.example/', /not one that can be called/],
    ['hooks.example', /not one that can be called/],
    ['', /not one that can be called/],
    ['https://', /not one that can be called/],
    ['https://1.2.3.4.5/', /not one that can be called/],
    ['https://256.1.1.1/', /not one that can be called/],
    ['https://[fe80::1%25eth0]/', /not one that can be called/],
    ['https://hooks.example:70000/', /not one that can be called/],
    ['https://hooks.example:0/', /port/],
    ['https://user:secret@hooks.example/', /user name or password/],
    ['https://user@hooks.example/', /user name or password/],
    ['https://hooks.example/#part', /fragment/],
    [' https://hooks.example/', /spaces/],
    ['https://hooks.exa\nmple/', /spaces/],
    ['https://hooks.example/a\u0000b', /spaces/],
    ['https:\\\\hooks.example\\', /backslashes/],
    [`https://hooks.example/${'x'.repeat(2027)}`, /at most 2048/],
  ]
  for (const [url, sentence] of cases) assert.match((await faultOf(url)) ?? 'nothing', sentence, url)
})

test('addresses that are not public are refused in every spelling, and behind a name', async () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '017700000001',
    '2130706433',
    '127.0.0.1.',
    '10.0.0.1',
    '169.254.169.254',
  ]
  const more = [
    '0',
    '[::]',
    '[::1]',
    '[::ffff:8.8.8.8]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ]
  for (const host of [...hosts, ...more, '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'])
    assert.match((await faultOf(`https://${host}/`)) ?? 'nothing', /not public/, host)
  for (const answers of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1', '8.8.8.8'], ['169.254.1.1']])
    assert.match((await faultOf('https://hooks.example/', [], async () => answers)) ?? 'nothing', /not public/)
})

test('this machine by its name is refused', async () => {
  await assert.rejects(checkUrl('https://localhost/', { allow: [] }), /not public/)
})

test('what is allowed may be saved; https and the refusal of link-local stay', async () => {
  const allow = ['127.0.0.0/8', '169.254.0.0/16']
  assert.equal(await faultOf('https://127.0.0.1:8443/', allow), undefined)
  assert.equal(await faultOf('https://hooks.example/', allow, async () => ['127.0.0.1']), undefined)
  assert.match((await faultOf('http://127.0.0.1/', allow)) ?? 'nothing', /https/)
  assert.match((await faultOf('https://169.254.169.254/', allow)) ?? 'nothing', /not public/)
  assert.match((await faultOf('https://10.0.0.1/', allow)) ?? 'nothing', /not public/)
})

test('a name that does not exist yet may be saved, with a warning; so may one while the resolver is away', async () => {
  const warningOf = (lookup: Lookup) => checkUrl('https://hooks.example/', { allow: [] }, lookup)
  for (const code of ['ENOTFOUND', 'ENODATA', 'EINVAL'])
    assert.match((await warningOf(failing(code))) ?? 'nothing', /hooks\.example was not found in DNS/)
  assert.match((await warningOf(async () => [])) ?? 'nothing', /not found in DNS/)
  for (const code of ['EAI_AGAIN', 'ETIMEOUT', 'LOOKUP_NOT_BEGUN'])
    assert.match((await warningOf(failing(code))) ?? 'nothing', /did not say where the host hooks\.example leads/, code)
  assert.equal(await warningOf(publicly), undefined)
})

test('whatever the text, it is accepted or refused with a sentence', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.webUrl(),
    fc.string().map((rest) => `https://${rest}`),
  )
  await fc.assert(
    fc.asyncProperty(text, async (url) => {
      const fault = await faultOf(url)
      assert.ok(fault === undefined ? /^https:/i.test(url) : fault.endsWith('.'))
    }),
  )
})
