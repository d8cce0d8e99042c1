// Content on the command line, beside a running server that learns of changes by itself.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ask, type Ended, type Environment, runAll, tell } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'
import { startFootfall } from '../test/support/server.ts'
import { newStores } from '../test/support/stores.ts'

const footfall = await startFootfall({ after }, { ownsFacts: true })
const { config, content } = footfall.context
const env: Environment = { DATA_DIR: config.dataDir, BASE_URL: config.baseUrl, SECRET: config.secret ?? '' }
const folder = newDataDir({ after: (work) => after(work as () => void) })

const say = (property: string, ...args: string[]) => ask(['content', ...args, '--property', property], env)

/** For people, several in one process. */
const read = (property: string, commands: readonly (readonly string[])[]): Promise<Ended[]> =>
  runAll(commands.map((args) => ({ args: ['content', ...args, '--property', property], env })))

async function newProperty(): Promise<string> {
  return (await footfall.addProperty()).id
}

test('a block with its versions is made and weighed, and the server knows it by itself', async () => {
  const id = await newProperty()
  const { content: block } = await say(id, 'create', '--name', 'Banner', '--key', 'banner', '--goal', 'event:sign up')
  assert.deepEqual(block.goal, { type: 'event', value: 'sign up' })
  assert.equal((await content.byKey('banner'))?.versions.length, 0)
  const html = join(folder, 'a.html')
  writeFileSync(html, '<p onclick="x()">A</p>')
  const { version: a, removed } = await say(
    id,
    'add-version',
    'banner',
    '--label',
    'A',
    '--html',
    html,
    '--cta',
    'go=/x?a=b',
  )
  assert.deepEqual([a.html, removed], ['<p>A</p>', ['onclick of <p>']])
  assert.deepEqual(a.ctas, [{ key: 'go', label: 'go', url: '/x?a=b' }])
  const piped = ['content', 'add-version', block.id, '--label', 'B', '--html', '-', '--weight', '50', '--property', id]
  const { version: b } = await ask(piped, env, '<p>B</p>')
  assert.deepEqual([b.html, b.weight, b.is_active], ['<p>B</p>', 50, true])
  const { content: weighed } = await say(id, 'set', 'Banner', '--weight', `${a.id}=3`, '--weight', `${b.id}=1`)
  assert.deepEqual([weighed.phase, weighed.versions.map(({ weight }: { weight: number }) => weight)], [4, [3, 1]])
  for (let n = 0; (await content.byKey('banner'))?.phase !== 4; n++) {
    assert.ok(n < 500, 'the server knows of it after ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const [shown, listed] = await read(id, [['show', 'banner'], ['list']])
  assert.match(shown!.out, new RegExp(`^Banner\n[^]*goal +event:sign up\n[^]*state +on\n[^]*${a.id}  75\\.0%  3 +A\n`))
  assert.match(listed!.out, new RegExp(`${block.id}  banner  on +2 +event:sign up  Banner\n`))
})

test('a cta has a key, a label and an address; of a known one stays what is not said', async () => {
  const id = await newProperty()
  await say(id, 'create', '--name', 'Ctas')
  const ctas = (...words: string[]) => words.flatMap((word) => ['--cta', word])
  const first = ctas('go=Prices=/x?a=b', 'call=Call us=tel:+44', 'stay', 'plain=https://example.com/?c=d', 'own=Own=')
  const { version } = await say(id, 'add-version', 'Ctas', '--label', 'A', ...first)
  assert.deepEqual(version.ctas, [
    { key: 'go', label: 'Prices', url: '/x?a=b' },
    { key: 'call', label: 'Call us', url: 'tel:+44' },
    { key: 'stay', label: 'stay', url: null },
    { key: 'plain', label: 'plain', url: 'https://example.com/?c=d' },
    { key: 'own', label: 'Own', url: null },
  ])
  const next = ctas('call', 'go=/y', 'plain=Plain=https://example.com/?c=d', 'stay=/z')
  const { version: changed } = await say(id, 'set-version', 'Ctas', version.id, ...next)
  assert.deepEqual(changed.ctas, [
    { key: 'call', label: 'Call us', url: 'tel:+44' },
    { key: 'go', label: 'Prices', url: '/y' },
    { key: 'plain', label: 'Plain', url: 'https://example.com/?c=d' },
    { key: 'stay', label: 'stay', url: '/z' },
  ])
  const { version: bare } = await say(id, 'set-version', 'Ctas', version.id, ...ctas('call=Call us='))
  assert.deepEqual(bare.ctas, [{ key: 'call', label: 'Call us', url: null }])
})

test('phases are told, the latest first', async () => {
  const id = await newProperty()
  await say(id, 'create', '--name', 'Phased')
  await say(id, 'add-version', 'Phased', '--label', 'A', '--weight', '7')
  const { phases, total } = await say(id, 'phases', 'Phased')
  assert.deepEqual([total, phases[0].number, phases[0].ended_ms], [2, 2, null])
  const [told] = await read(id, [['phases', 'Phased']])
  assert.match(told!.out, /^PHASE .*\n2 +20\S+Z  counts now +A=7\n1 +20\S+Z  20\S+Z  -\n$/)
})

test('HTML in another encoding is refused, and not stored with signs that nobody wrote', async () => {
  const id = await newProperty()
  await say(id, 'create', '--name', 'Latin')
  const html = join(folder, 'latin.html')
  writeFileSync(html, Buffer.from('<p>Caf\u00e9</p>', 'latin1'))
  const [refused] = await read(id, [['add-version', 'Latin', '--label', 'A', '--html', html]])
  assert.deepEqual([refused!.code, refused!.err], [1, 'footfall: the file is not in UTF-8: save it in that encoding\n'])
  writeFileSync(html, '<p>Caf\u00e9</p>')
  assert.equal((await say(id, 'add-version', 'Latin', '--label', 'A', '--html', html)).version.html, '<p>Caf\u00e9</p>')
})

test('versions are changed and removed, edits are told and undone', async () => {
  const id = await newProperty()
  const { content: block } = await say(id, 'create', '--name', 'Footer')
  const { version } = await say(id, 'add-version', 'Footer', '--label', 'A')
  const set = await say(id, 'set-version', 'Footer', version.id, '--label', 'AA', '--weight', '7', '--inactive')
  assert.deepEqual([set.version.label, set.version.weight, set.version.is_active], ['AA', 7, false])
  await say(id, 'remove-version', block.key, version.id)
  const { edits } = await say(id, 'edits', 'Footer')
  assert.deepEqual(
    edits.map(({ kind }: { kind: string }) => kind),
    ['delete', 'update', 'create', 'create'],
  )
  const [told, undone, again] = await read(id, [
    ['edits', 'Footer'],
    ['undo', 'Footer', edits[0].id],
    ['undo', 'Footer', edits[0].id],
  ])
  assert.match(told!.out, new RegExp(`${edits[1].id}  20[^ ]+Z  update  ${version.id}  label, weight, is_active\n`))
  assert.match(undone!.out, new RegExp(`^Undid the change ${edits[0].id}\\.\n[^]*${version.id}  -  +7 +AA\n`))
  assert.deepEqual([again!.code, again!.err], [1, 'footfall: The version is in use again already.\n'])
  const { content: archived } = await say(id, 'archive', 'Footer')
  const { content: restored } = await say(id, 'restore', 'Footer')
  assert.deepEqual([archived.is_archived, restored.is_archived], [true, false])
  const [unsure] = await read(id, [['delete', 'Footer']])
  assert.equal(unsure!.code, 2)
  assert.deepEqual(await say(id, 'delete', 'Footer', '--yes'), { deleted: true, id: block.id })
  assert.equal((await say(id, 'list')).total, 0)
})

test('the policy is told, and results need facts that no other process has', async () => {
  const id = await newProperty()
  assert.equal((await say(id, 'policy')).content_policy, 'standard')
  const [policy] = await read(id, [['policy']])
  assert.match(policy!.out, /^The policy standard is in force\.\n\nTags: b i u /)
  await say(id, 'create', '--name', 'Side')
  const [held, none] = await read(id, [
    ['results', 'Side'],
    ['results', 'Side', '--phase', '0'],
  ])
  assert.equal(held!.code, 1)
  assert.match(held!.err, /another process.* A server that runs answers/)
  assert.equal(none!.code, 2)
})

test('results are told once the server has stopped', async () => {
  const own = { ...env, DATA_DIR: await newStores({ after: (work) => after(work as () => void) }, true) }
  const told = await runAll([
    { args: ['property', 'create', '--name', 'P', '--domain', 'example.com'], env: own },
    { args: ['content', 'create', '--name', 'Top'], env: own },
    { args: ['content', 'add-version', 'Top', '--label', 'A'], env: own },
    { args: ['content', 'results', 'Top'], env: own },
    { args: ['content', 'results', 'Top', '--phase', '9'], env: own },
  ])
  assert.deepEqual(
    told.map(({ code }) => code),
    [0, 0, 0, 0, 1],
    JSON.stringify(told),
  )
  assert.match(told[3]!.out, /^VERSION  SESSIONS  GOALS .*\nA +0 +0 +- /)
})

test('what is not understood or not there is told in a line', async () => {
  const id = await newProperty()
  await say(id, 'create', '--name', 'Twice')
  await say(id, 'create', '--name', 'Twice')
  const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['create'], 2, /--name is missing/],
    [['create', '--name', 'x', '--goal', 'fun'], 2, /--goal must be one of/],
    [['create', '--name', 'x', '--goal', 'event'], 1, /goal\.value may not be empty/],
    [['create', '--name', 'x', '--key', 'a b'], 1, /key must be/],
    [['show', 'Twice'], 2, /several content blocks have that name/],
    [['show', 'None'], 1, /There is no content block of that name/],
    [['show', 'cb_none'], 1, /not in this property/],
    [['show'], 2, /the CONTENT is missing/],
    [['show', 'a', 'b'], 2, /content takes one of/],
    [['fly'], 2, /content takes one of/],
    [['set', 'Twice', '--weight', '5'], 2, /VERSION_ID=N/],
    [['add-version', 'Twice'], 2, /--label is missing/],
    [['add-version', 'Twice', '--label', 'A', '--html', '/none.html'], 2, /there is no file/],
    [['add-version', 'Twice', '--label', 'A', '--active', '--inactive'], 2, /say one of them/],
    [['add-version', 'Twice', '--label', 'A', '--weight', 'x'], 2, /whole number/],
    [['undo', 'Twice'], 2, /id of the edit is missing/],
  ]
  const ended = await read(
    id,
    wrong.map(([args]) => args),
  )
  for (const [index, [args, code, says]] of wrong.entries()) {
    assert.equal(ended[index]!.code, code, `${args.join(' ')}: ${ended[index]!.err}`)
    assert.match(ended[index]!.err, says)
    assert.equal(ended[index]!.err.split('\n').length, 2)
  }
  const help = await tell(['content', '--help'], env)
  assert.match(help.out, /^footfall content create --name NAME/)
})
