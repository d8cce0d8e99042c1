// Anything at all at the three endpoints, signed right or wrong: an answer of the right shape, never a fault
// of ours, and nothing stored but what was answered as valid.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { flowOf, type Form, type FormFlow, type From } from '../../test/support/form-flow.ts'
import { rounds } from '../../test/support/long.ts'
import { startFootfall, type Footfall, type Reply } from '../../test/support/server.ts'
import { anyCharacter } from '../../test/support/texts.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
})

after(async () => {
  for (const close of closers) await close()
})

const stored = async (): Promise<number> => {
  const { records } = footfall.context
  return (await records.selectFrom('submissions').select('id').execute()).length
}

const statuses = new Set([200, 403, 413, 419, 422])
const types: ReadonlySet<unknown> = new Set([false, 1, 2])

function assertInit({ status, json, text }: Reply): void {
  assert.equal(status, 200, text)
  assert.ok(types.has(json?.error_type), text)
  assert.equal(json.message === null, json.error_type === false, text)
  if (json.error_type === false)
    assert.deepEqual([typeof json.token, typeof json.hp, typeof json.ty], ['string', 'string', 'string'])
  else assert.deepEqual(Object.keys(json), ['error_type', 'message'])
}

function assertStep({ status, json, text }: Reply): void {
  assert.ok(statuses.has(status), `${status} ${text}`)
  if (status !== 200) {
    assert.deepEqual([json.code, json.status, json.success], [status, 'Error', false], text)
    assert.deepEqual([typeof json.error_code, typeof json.message], ['string', 'string'], text)
    return
  }
  assert.equal(typeof json.validated, 'boolean', text)
  if (!json.validated)
    assert.ok(
      Object.values<unknown>(json.errors).every(
        (list) => Array.isArray(list) && list.every((one) => typeof one === 'string'),
      ),
      text,
    )
}

const text = fc.string({ unit: anyCharacter, maxLength: 30 })
const name = fc.oneof(
  fc.constantFrom('name', 'email', 'a', '__proto__', 'constructor', 'toString', '', ' ', 'hasOwnProperty', '0'),
  text,
)
const rule = fc.oneof(
  fc.constantFrom(
    'required',
    'email',
    'min_length[3]',
    'in[a,b]',
    'regex[(a+)+$]',
    'regex[(]',
    'matches[a]',
    'max[x]',
    'accepted',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'min[]',
    'min',
    'between[1,2]',
    'required[1]',
    'date',
    'phone',
    'url',
    'integer',
  ),
  text,
)
const type = fc.oneof(fc.constantFrom('text', 'email', 'password', 'file', 'checkbox', 'select-multiple', ''), text)
const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }))
const from: fc.Arbitrary<From> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<From>({ signature: null }, { signature: '0' }, { signature: '-1' }, { address: '198.51.100.9' }),
)
const initBody = fc.oneof(
  fc.record(
    {
      fields: fc.oneof(fc.dictionary(name, type, { maxKeys: 6 }), fc.jsonValue({ maxDepth: 2 })),
      validation: fc.oneof(
        fc.dictionary(name, fc.dictionary(rule, fc.oneof(fc.constant(null), text), { maxKeys: 4 }), { maxKeys: 4 }),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      source: fc.oneof(text, fc.jsonValue({ maxDepth: 1 })),
      successContent: fc.oneof(text, fc.jsonValue({ maxDepth: 1 })),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 3 }),
)
const stepBody = fc.oneof(
  fc.record(
    {
      map: fc.oneof(fc.dictionary(name, type, { maxKeys: 6 }), fc.jsonValue({ maxDepth: 2 })),
      data: fc.oneof(fc.dictionary(name, value, { maxKeys: 6 }), fc.jsonValue({ maxDepth: 2 })),
      ty: fc.oneof(text, fc.jsonValue({ maxDepth: 1 })),
      _sig: fc.oneof(
        fc.dictionary(fc.constantFrom('dur', 'gt', 'k', 'f', 'm', 's', 't', 'w', 'p', 'l'), value, { maxKeys: 10 }),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 3 }),
)
const raw = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '{',
    '[[[[',
    '{"data":{"__proto__":1}}',
    'a=1&b=2',
    '\uFEFF{}',
    '1e999',
    '{"map":{},"data":{}}{',
  ),
)
const contentType = fc.constantFrom(
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
)

test('init: 200 and an error_type, whatever is sent', async () => {
  await fc.assert(
    fc.asyncProperty(initBody, from, async (body, by) => assertInit(await flow.init(form, JSON.stringify(body), by))),
    { numRuns: rounds(80, 10_000) },
  )
  await fc.assert(
    fc.asyncProperty(raw, contentType, async (body, kind) =>
      assertInit(await flow.init(form, body, { headers: { 'content-type': kind } })),
    ),
    { numRuns: rounds(80, 4_000) },
  )
  // A caller's own URL parser takes dots for steps in the path, however they are written.
  const anyKey = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => !/^\.\.?$/.test(text))
  await fc.assert(
    fc.asyncProperty(anyKey, async (key) => assertInit(await flow.init({ id: '', key: encodeURIComponent(key) }))),
    { numRuns: rounds(40, 2_000) },
  )
})

test('validate and process: a status of the contract, and stored only what was answered as valid', async () => {
  const fields = { fields: { name: 'text', email: 'email', a: 'checkbox', constructor: 'text' } }
  let opened = await flow.open(form, fields)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('validate', 'process'), stepBody, from, async (step, body, by) => {
      const before = await stored()
      const reply = await flow[step](opened.token, JSON.stringify(body), by)
      assertStep(reply)
      const isStored = step === 'process' && reply.json.validated === true
      assert.equal(await stored(), before + Number(isStored), reply.text)
      if (isStored) opened = await flow.open(form, fields)
    }),
    { numRuns: rounds(100, 12_500) },
  )
  const before = await stored()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('validate', 'process'), raw, contentType, async (step, body, kind) => {
      const reply = await flow[step](opened.token, body, { headers: { 'content-type': kind } })
      if (kind === 'application/xml') assert.equal(reply.status, 415)
      else assertStep(reply)
      if (reply.json.validated === true && step === 'process') opened = await flow.open(form, fields)
    }),
    { numRuns: rounds(60, 6_000) },
  )
  assert.ok((await stored()) - before < 120)
})

test('whatever was taken in can be read by its owner', async () => {
  // Chance alone may have had nothing accepted.
  const sent = await flow.send(await flow.open(form), { name: 'Ada\u0000', email: 'ada@example.com' })
  assert.equal(sent.json.validated, true, sent.text)
  const { status, json } = await footfall.call(
    'GET',
    `/manage/properties/${footfall.property.id}/forms/${form.id}/submissions?show=all&per_page=100`,
  )
  assert.equal(status, 200)
  assert.ok(json.data.data.length > 0)
})
