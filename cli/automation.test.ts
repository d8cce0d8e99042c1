// Automations and conversions on the command line as a shell sees them, beside a running server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ask, type Ended, type Environment, run, runAll, tell } from '../test/support/cli.ts'
import { startFootfall } from '../test/support/server.ts'

const allow = { WEBHOOK_ALLOW: '127.0.0.0/8' }
const footfall = await startFootfall({ after }, { env: allow })
const env: Environment = { DATA_DIR: footfall.context.config.dataDir, ...allow }
const URL = 'https://127.0.0.1:9/hook'
const at = `/manage/properties/${footfall.property.id}`

/** Each told as JSON, in one process. */
async function askAll(...commands: readonly (readonly string[])[]) {
  const ends = await runAll(commands.map((args) => ({ args: [...args, '--json'], env })))
  return ends.map(({ code, out, err }) => {
    assert.deepEqual({ code, err }, { code: 0, err: '' })
    return JSON.parse(out)
  })
}

const readable = ({ code, out, err }: Ended) => {
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  return out
}

async function untilListening(count: number): Promise<void> {
  for (let i = 0; i < 400; i++) {
    const listeners = await footfall.context.triggers.listeners(footfall.property.id, 'event')
    if (listeners.length === count) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  assert.fail(`the server does not know of ${count} automations after ten seconds`)
}

test('a host that no name server knows is saved, and said', async () => {
  const args = ['automation', 'create', '--trigger', 'event', '--value', 'none', '--url', 'https://not-yet.invalid/']
  const [asText, asJson] = await runAll([args, [...args, '--json']].map((one) => ({ args: one, env })))
  assert.match(readable(asText!), /\nWarning: The .*host not-yet\.invalid .*\.\n$/)
  const { automation, warnings } = JSON.parse(readable(asJson!))
  assert.deepEqual(Object.keys(warnings), ['actions.0.url'])
  const ids = [automation.id, /au_\w+/.exec(asText!.out)?.[0] ?? '']
  await askAll(...ids.map((id) => ['automation', 'delete', id, '--yes']))
})

test('a conversion and an automation are made beside a running server, which learns of them by itself', async () => {
  const { conversion } = await ask(['conversion', 'create', '--name', 'Sale', '--type', 'event', '--value', 'buy'], env)
  assert.deepEqual((await footfall.call('GET', `${at}/conversions`)).json.data.data, [conversion])
  const args = ['--trigger', 'event', '--value', 'signup', '--url', URL, '--url', `${URL}2`, '--name', 'Orders']
  const made = await ask(['automation', 'create', ...args, '--conversion', conversion.id], env)
  assert.match(made.signing_secret, /^whsec_[0-9A-Za-z]{40}$/)
  const { id } = made.automation
  const shown = (await footfall.call('GET', `${at}/automations/${id}`)).json.data.automation
  assert.deepEqual(made.automation, shown)
  assert.deepEqual(
    [shown.name, shown.trigger, shown.conversion_id, shown.actions.map((action: { url: string }) => action.url)],
    ['Orders', { event_type: 'event', event_value: 'signup' }, conversion.id, [URL, `${URL}2`]],
  )
  await untilListening(1)

  const [list, one, conversions, off] = await askAll(
    ['automation', 'list'],
    ['automation', 'show', id],
    ['conversion', 'list'],
    ['automation', 'disable', id],
  )
  assert.deepEqual(list, { automations: [shown], total: 1 })
  assert.deepEqual(one, { automation: shown })
  assert.deepEqual(conversions, { conversions: [conversion], total: 1 })
  assert.equal(off.automation.is_active, false)
  await untilListening(0)

  const [sent, log, rotated, on] = await askAll(
    ['automation', 'test', id],
    ['automation', 'deliveries', id],
    ['automation', 'rotate-secret', id, '--overlap-hours', '2'],
    ['automation', 'enable', id],
  )
  assert.equal(sent.deliveries.length, 2)
  assert.deepEqual(
    log.deliveries.map((row: { id: string; is_test: boolean }) => [row.id, row.is_test]).toSorted(),
    sent.deliveries.map((text: string) => [text, true]).toSorted(),
  )
  assert.notEqual(rotated.signing_secret, made.signing_secret)
  assert.ok(rotated.automation.has_previous_secret_until > Date.now() / 1000 + 7_000)
  assert.equal(on.automation.is_active, true)
  await untilListening(1)

  const refused = await run(['conversion', 'delete', conversion.id], env)
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(
    refused.err,
    new RegExp(`^footfall: The conversion is the condition of the automation ${id} \\(Orders\\)`),
  )
  assert.deepEqual(await askAll(['automation', 'delete', id, '--yes'], ['conversion', 'delete', conversion.id]), [
    { deleted: id },
    { deleted: conversion.id },
  ])
  await untilListening(0)
  assert.equal((await footfall.call('GET', `${at}/automations/${id}`)).status, 404)
})

test('people see the secret when it is made and never again, and what an automation does at a glance', async () => {
  const made = readable(await tell(['automation', 'create', '--trigger', 'contact', '--url', URL], env))
  const [secret] = /whsec_[0-9A-Za-z]{40}/.exec(made) ?? []
  const [id = ''] = /au_[0-9A-Za-z]{20}/.exec(made) ?? []
  assert.ok(secret !== undefined && made.includes('shown only now'), made)
  const ends = await runAll(
    [
      ['automation', 'list'],
      ['automation', 'show', id],
      ['automation', 'deliveries', id],
      ['automation', 'test', id],
      ['automation', 'deliveries', id],
      ['automation', 'disable', id],
      ['automation', 'list'],
      ['conversion', 'list'],
      ['automation', 'rotate-secret', id, '--overlap-hours', '0'],
      ['automation', 'delete', id, '--yes'],
    ].map((args) => ({ args, env })),
  )
  const [list, show, none, sent, log, off, listOff, conversions, rotated, gone] = ends.map(readable)
  for (const text of [list, show, none, sent, log, off, listOff, gone])
    assert.ok(!text!.includes('whsec_'), 'shown once')
  assert.match(list!, new RegExp(`^ID +STATE +TRIGGER +URLS +NAME\n${id} +on +contact +1\n$`))
  assert.match(
    show!,
    /name +Contact change\n.*condition +none\n.*calls +https:\/\/127\.0\.0\.1:9\/hook \(envelope\)\n/s,
  )
  assert.equal(none, 'There is no delivery yet.\n')
  assert.match(sent!, /^Put down 1 test send: /)
  assert.match(
    log!,
    new RegExp(`^ID +SINCE +STATE +ATTEMPTS +ANSWER +URL\n[0-9A-Z]{26} +\\S+Z +\\w+, test .*${URL}\n$`),
  )
  assert.equal(off, `${id} is off: its deliveries wait.\n`)
  assert.match(listOff!, new RegExp(`${id} +off +contact`))
  assert.equal(conversions, 'There is no conversion yet: footfall conversion create.\n')
  assert.match(rotated!, /^Created a new secret; the previous one no longer signs\.\n/)
  assert.ok(rotated!.includes('whsec_') && !rotated!.includes(secret))
  assert.equal(gone, `Deleted ${id} with its run log.\n`)
})

test('wrong words are told with an exit code, and nothing is made', async () => {
  const automation = (...args: readonly string[]) => ['automation', ...args]
  const id = 'au_00000000000000000000'
  const rows: readonly (readonly [readonly string[], number, RegExp])[] = [
    [automation(), 2, /takes one of: create, list, show/],
    [automation('constructor'), 2, /takes one of/],
    [automation('list', 'x'), 2, /takes one of/],
    [automation('show'), 2, /the id of the automation is missing/],
    [automation('show', id), 1, /^footfall: The automation is not in this property\.\n$/],
    [automation('enable', id), 1, /not in this property/],
    [automation('disable', id), 1, /not in this property/],
    [automation('test', id), 1, /not in this property/],
    [automation('deliveries', id), 1, /not in this property/],
    [automation('rotate-secret', id), 1, /not in this property/],
    [automation('rotate-secret', id, '--overlap-hours', '169'), 2, /a whole number from 0 to 168/],
    [automation('deliveries', id, '--limit', '0'), 2, /a whole number from 1 to 1000/],
    [automation('delete', id), 2, /add --yes/],
    [automation('delete', id, '--yes'), 1, /not in this property/],
    [automation('create', '--url', URL), 2, /--trigger is missing/],
    [automation('create', '--trigger', 'click', '--url', URL), 2, /--trigger must be one of: form_submit, event/],
    [automation('create', '--trigger', 'event'), 2, /--url is missing/],
    [automation('create', '--trigger', 'event', '--url', URL, '--payload', 'xml'), 2, /--payload must be one of/],
    [automation('create', '--trigger', 'event', '--url', 'http://127.0.0.1/'), 1, /must begin with https:\/\//],
    [automation('create', '--trigger', 'event', '--url', 'https://10.0.0.1/'), 1, /not public/],
    [automation('create', '--trigger', 'page_view', '--value', 'x', '--url', URL), 1, /begins with \/ or \*/],
    [
      automation('create', '--trigger', 'event', '--url', URL, '--conversion', 'cv_x'),
      1,
      /does not match a conversion/,
    ],
    [
      automation('create', '--trigger', 'event', ...Array.from({ length: 6 }, () => ['--url', URL]).flat()),
      1,
      /1 to 5/,
    ],
    [['conversion', 'create', '--type', 'event'], 2, /--name is missing/],
    [['conversion', 'create', '--name', 'x'], 2, /--type is missing/],
    [['conversion', 'create', '--name', 'x', '--type', 'contact'], 1, /may not be contact/],
    [['conversion', 'delete'], 2, /the id of the conversion is missing/],
    [['conversion', 'delete', 'cv_x'], 1, /not in this property/],
    [['conversion', 'rename'], 2, /takes one of: create, list, delete/],
  ]
  const ends = await runAll(rows.map(([args]) => ({ args, env })))
  for (const [at, [args, code, says]] of rows.entries()) {
    assert.deepEqual([ends[at]!.code, ends[at]!.out], [code, ''], `${args.join(' ')}: ${ends[at]!.err}`)
    assert.match(ends[at]!.err, says, args.join(' '))
  }
  const left = await askAll(['automation', 'list'], ['conversion', 'list'])
  assert.deepEqual(
    left.map(({ total }) => total),
    [0, 0],
  )
  const [help, own] = await runAll([
    { args: ['--help'], env },
    { args: ['automation', '--help'], env },
  ])
  assert.match(help!.out, /\n {2}conversion +create, /)
  assert.match(own!.out, /^footfall automation create --trigger TYPE/)
})
