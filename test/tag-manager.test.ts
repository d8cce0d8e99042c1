// The template for Google Tag Manager: the scenarios that Tag Manager runs in its editor, run here on
// stand-ins of its functions; and that it asks for the permissions that its code needs, and for no others.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compileFunction } from 'node:vm'
import { parse } from 'yaml'

const file = readFileSync(new URL('../integrations/tag-manager/footfall.tpl', import.meta.url), 'utf8')

/** By their names: `___INFO___` is `INFO`. */
const sections = new Map(
  [...file.matchAll(/^___([A-Z_]+)___\n([^]*?)(?=^___[A-Z_]+___$|(?![^]))/gm)].map(([, name = '', text = '']) => [
    name,
    text.trim(),
  ]),
)
const sectionOf = (name: string): string => sections.get(name) ?? assert.fail(`there is no ${name}`)
const code = sectionOf('SANDBOXED_JS_FOR_WEB_TEMPLATE')

interface Scenario {
  readonly name: string
  readonly code: string
}

interface Parameter {
  readonly name: string
  readonly subParams?: readonly Parameter[]
}

interface Permission {
  readonly instance: { readonly key: { readonly publicId: string } }
}

type Act = (...given: unknown[]) => unknown

/** What a scenario of Tag Manager's editor can call. */
function world() {
  const calls: [string, ...unknown[]][] = []
  const mocks = new Map<string, unknown>([['makeNumber', Number]])
  const api =
    (name: string): Act =>
    (...given) => {
      calls.push([name, ...given])
      const stand = mocks.get(name)
      return typeof stand === 'function' ? (stand as Act)(...given) : stand
    }
  const callsOf = (name: string): unknown[][] => calls.filter(([each]) => each === name).map(([, ...given]) => given)
  return {
    mock: (name: string, stand: unknown): unknown => mocks.set(name, stand),
    runCode: (data: object): void => {
      const done = { gtmOnSuccess: api('gtmOnSuccess'), gtmOnFailure: api('gtmOnFailure') }
      compileFunction(code, ['require', 'data'])(api, { ...data, ...done })
    },
    assertApi: (name: string) => ({
      wasCalled: () => assert.notDeepEqual(callsOf(name), []),
      wasNotCalled: () => assert.deepEqual(callsOf(name), []),
      wasCalledWith: (...given: unknown[]) => assert.deepEqual(callsOf(name), [given]),
    }),
    assertThat: (value: unknown) => ({ isEqualTo: (other: unknown) => assert.deepEqual(value, other) }),
  }
}

const { scenarios } = parse(sectionOf('TESTS')) as { scenarios: readonly Scenario[] }
assert.ok(scenarios.length >= 5)
for (const { name, code: steps } of scenarios)
  test(name, () => {
    const { mock, runCode, assertApi, assertThat } = world()
    compileFunction(steps, ['mock', 'runCode', 'assertApi', 'assertThat'])(mock, runCode, assertApi, assertThat)
  })

test('it asks for the permissions that its code needs', () => {
  const needed = new Map([
    ['injectScript', 'inject_script'],
    ['setInWindow', 'access_globals'],
    ['copyFromWindow', 'access_globals'],
    ['callInWindow', 'access_globals'],
    ['createQueue', 'access_globals'],
  ])
  const required = [...code.matchAll(/require\('(\w+)'\)/g)].map(([, name = '']) => name)
  const asked = (JSON.parse(sectionOf('WEB_PERMISSIONS')) as Permission[]).map(({ instance }) => instance.key.publicId)
  assert.deepEqual(new Set(asked), new Set(required.map((name) => needed.get(name)).filter(Boolean)))
  assert.match(sectionOf('WEB_PERMISSIONS'), /"https:\/\/\*\/tag\.js"/)
})

test('every field that the code reads is one that people fill in, and the other way round', () => {
  const namesIn = (fields: readonly Parameter[]): string[] =>
    fields.flatMap(({ name, subParams }) => (subParams ? namesIn(subParams) : [name]))
  const filled = namesIn(JSON.parse(sectionOf('TEMPLATE_PARAMETERS')) as Parameter[])
  const switches = [...(/\[('outbound'[^\]]+)\]/.exec(code)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name)
  const read = [...code.matchAll(/data\.(\w+)/g)].map(([, name]) => name).filter((name) => !name?.startsWith('gtm'))
  assert.deepEqual(new Set(filled), new Set([...read, ...switches]))
})
