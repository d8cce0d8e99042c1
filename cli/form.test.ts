// Forms and what was sent through them on the command line, beside a running server that learns of changes by
// itself.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Ended, type Environment, run, runAll, tell } from '../test/support/cli.ts'
import { contactFields, flowOf } from '../test/support/form-flow.ts'
import { newDataDir } from '../test/support/records.ts'
import { startFootfall } from '../test/support/server.ts'
import { addForm, addSubmissions, submissionIds } from '../test/support/submissions.ts'

const footfall = await startFootfall({ after })
const { records, config } = footfall.context
const env: Environment = { DATA_DIR: config.dataDir, BASE_URL: config.baseUrl, SECRET: config.secret ?? '' }
const folder = newDataDir({ after: (work) => after(work as () => void) })

let files = 0
function file(text: string): string {
  const path = join(folder, `${++files}.json`)
  writeFileSync(path, text)
  return path
}

/** Several commands in one process. */
const runEach = (property: string, commands: readonly (readonly string[])[]): Promise<Ended[]> =>
  runAll(commands.map((args) => ({ args: [...args, '--property', property], env })))

function jsonOf({ code, out, err }: Ended) {
  assert.deepEqual({ code, err }, { code: 0, err: '' })
  return JSON.parse(out)
}

/** A running server looks again after two seconds. */
async function untilOpened(key: string, isOpen: boolean): Promise<void> {
  for (let n = 0; n < 500; n++) {
    const { json } = await flowOf(footfall).init({ id: '', key }, contactFields)
    if ((json.error_type === false) === isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail(`the server does not know of it after ten seconds`)
}

test('a form is made, published and archived, and the server knows it by itself', async () => {
  const { id } = footfall.property
  const created = jsonOf(await run(['form', 'create', '--name', 'Ask us', '--property', id, '--json'], env)).form
  assert.deepEqual([created.kind, created.is_published, created.domains], ['open', false, []])
  await untilOpened(created.key, false)
  const [published, listed] = await runEach(id, [
    ['form', 'publish', 'Ask us'],
    ['form', 'list'],
  ])
  assert.match(
    published!.out,
    new RegExp(`^Published the form Ask us\\.\n[^]*key +${created.key}  [^]*state +published`),
  )
  assert.match(listed!.out, new RegExp(`${created.id}  ${created.key}  Ask us  open  published\n`))
  await untilOpened(created.key, true)
  assert.equal((await tell(['form', 'archive', created.id, '--property', id], env)).code, 0)
  await untilOpened(created.key, false)
})

test('a definition comes from a file, is shown as one, and is checked as under /manage', async () => {
  const { id } = await footfall.addProperty()
  const fields = [{ name: 'email', type: 'email', label: 'E-mail' }]
  const path = file(JSON.stringify({ kind: 'managed', fields, validation: { email: { required: null } } }))
  const [made, shown, bad, ...ends] = await runEach(id, [
    ['form', 'create', '--name', 'Letter', '--file', path, '--domain', 'shop.example', '--publish', '--json'],
    ['form', 'show', 'Letter'],
    ['form', 'edit', 'Letter', '--file', file('{"fields": [{"name": "x", "type": "password"}]}')],
    [
      'form',
      'edit',
      'Letter',
      '--file',
      file('{"success_html": "<p>Done</p><script>x</script>", "retention_days": 30}'),
      '--json',
    ],
    ['form', 'create', '--name', 'Letter'],
    ['form', 'publish', 'Letter'],
  ])
  const { form } = jsonOf(made!)
  assert.deepEqual([form.is_published, form.domains, form.fields[0].name], [true, ['shop.example'], 'email'])
  assert.deepEqual(JSON.parse(shown!.out), form)
  assert.deepEqual([bad!.code, bad!.out], [1, ''])
  assert.match(bad!.err, /fields\.0\.type/)
  const edited = jsonOf(ends[0]!).form
  assert.deepEqual([edited.success_html, edited.retention_days, edited.name], ['<p>Done</p>', 30, 'Letter'])
  assert.match(ends[2]!.err, /several forms have that name/)
  const again = await tell(['form', 'edit', form.id, '--file', '-', '--property', id, '--json'], env, shown!.out)
  const { revision, updated_ts: _updated, ...restored } = jsonOf(again).form
  const { revision: first, updated_ts: _before, ...formJson } = form
  assert.deepEqual(restored, formJson, 'what show prints is what it was')
  assert.deepEqual([first, revision], [1, 3])
  const late = JSON.stringify({ name: 'Late', if_revision: first })
  const refused = await tell(['form', 'edit', form.id, '--file', '-', '--property', id], env, late)
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, /changed meanwhile: it is at revision 3, not 1/)
})

const answers = (value: string) => JSON.stringify([{ type: 'textarea', name: 'text', label: 'Text', value }])

test('submissions are listed, shown, marked, exported and deleted, and no text of theirs moves a cursor', async () => {
  const { id } = await footfall.addProperty()
  const form = await addForm(records, id, { name: 'Ask us' })
  const reasons = JSON.stringify([
    { reason: 'webdriver', points: 45 },
    { reason: 'of old', points: -3 },
  ])
  const [first, spam] = await addSubmissions(records, id, form, [
    { fields: answers('one\u001b[2J\ntwo') },
    { fields: answers('=buy'), verdict: 'dropped', score: 90, reasons, ip: '203.0.113.7' },
  ])
  const path = join(folder, 'out.csv')
  const [listed, all, shown, marked, wrong, exported, out] = await runEach(id, [
    ['submissions', 'list'],
    ['submissions', 'list', '--show', 'all', '--limit', '1', '--json'],
    ['submissions', 'show', spam!],
    ['submissions', 'mark', spam!, 'not-spam', '--json'],
    ['submissions', 'mark', spam!, 'good'],
    ['submissions', 'export', '--file', path],
    ['submissions', 'export', '--show', 'spam'],
  ])
  assert.match(
    listed!.out,
    new RegExp(
      `^ID +SENT +SCORE +STATE +ANSWERS\n${first}  2026-11-10T12:00:00\\.000Z  0 +clean  one\\?\\[2J\\?two\n$`,
    ),
  )
  const { submissions, total } = jsonOf(all!)
  assert.deepEqual([total, submissions.length, submissions[0].id], [2, 1, spam])
  assert.match(
    shown!.out,
    /state +dropped, score 90\n[^]*\n\+45 {2}The browser said that a program drives it\.\n-3 {2}of old\n\nText {2}=buy\n$/,
  )
  assert.deepEqual([jsonOf(marked!).submission.mark, jsonOf(marked!).submission.is_spam], ['not_spam', false])
  const row = await records
    .selectFrom('submissions')
    .select('is_noted')
    .where('id', '=', spam!)
    .executeTakeFirstOrThrow()
  assert.equal(row.is_noted, 0, 'the server notes it')
  assert.deepEqual([wrong!.code, wrong!.out], [2, ''])
  assert.deepEqual([exported!.code, exported!.out], [0, `Wrote 2 submissions to ${path}.\n`])
  const csv = readFileSync(path, 'utf8')
  assert.match(csv, /^id,submitted_at,verdict,mark,score,reasons,ip,country,city,source,text,more_fields\r\n/)
  assert.match(csv, /dropped,not_spam,90,webdriver of old,203\.0\.113\.7,Switzerland,Bern,,'=buy,\r\n$/)
  assert.equal(out!.out.split('\r\n').length, 2)

  const [kept, gone, absent] = await runEach(id, [
    ['submissions', 'delete', spam!],
    ['submissions', 'delete', spam!, '--yes'],
    ['submissions', 'show', spam!],
  ])
  assert.match(kept!.err, /add --yes/)
  assert.equal(gone!.out, `Deleted ${spam}.\n`)
  assert.deepEqual([absent!.code, absent!.out], [1, ''])
  assert.deepEqual(await submissionIds(records, form), [first])
  assert.equal((await tell(['form', 'delete', 'Ask us', '--yes', '--property', id], env)).code, 0)
  assert.deepEqual(await submissionIds(records, form), [])
})

/** ONE stands for a property with one form and one submission, which is SENT; TWO for one with two forms. */
const mistakes: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [['form'], 2, /create, list, show/],
  [['form', 'constructor'], 2, /create, list, show/],
  [['form', 'list', 'x'], 2, /create, list, show/],
  [['form', 'create', '--property', 'ONE'], 2, /--name is missing/],
  [['form', 'create', '--name', 'n', '--kind', 'closed', '--property', 'ONE'], 2, /open or managed/],
  [['form', 'create', '--name', 'n', '--kind', 'managed', '--publish', '--property', 'ONE'], 1, /at least one field/],
  [['form', 'create', '--name', 'n', '--file', '/nonexistent/x.json', '--property', 'ONE'], 2, /there is no file/],
  [['form', 'create', '--name', 'n', '--file', '/dev/null', '--property', 'ONE'], 1, /no JSON object/],
  [['form', 'show', '--property', 'ONE'], 2, /FORM is missing/],
  [['form', 'show', 'none', '--property', 'ONE'], 1, /no form of that name/],
  [['form', 'show', 'fm_none', '--property', 'ONE'], 1, /not in this property/],
  [['form', 'edit', 'Contact', '--property', 'ONE'], 2, /--file is missing/],
  [['form', 'delete', 'Contact', '--property', 'ONE'], 2, /add --yes/],
  [['submissions', 'list', '--show', 'none', '--property', 'ONE'], 2, /kept, unread, spam, all/],
  [['submissions', 'list', '--limit', '0', '--property', 'ONE'], 2, /--limit/],
  [['submissions', 'list', '--property', 'TWO'], 2, /several forms/],
  [['submissions', 'show', 'sb_none', '--property', 'ONE'], 1, /not in this form|no such/],
  [['submissions', 'show', 'SENT', '--property', 'TWO'], 1, /not in this form|no such/],
  [['submissions', 'mark', 'SENT', '--property', 'ONE'], 2, /not-spam/],
  [['submissions', 'export', '--json', '--property', 'ONE'], 2, /--file/],
  [['submissions', 'export', '--file', '/nonexistent/x.csv', '--property', 'ONE'], 1, /ENOENT/],
]

test('a mistake ends with its code and says why on stderr, without a stack', async () => {
  const [one, two] = [await footfall.addProperty(), await footfall.addProperty()]
  const form = await addForm(records, one.id)
  for (let n = 0; n < 2; n++) await addForm(records, two.id)
  const [sent] = await addSubmissions(records, one.id, form, [{}])
  const words = new Map([
    ['ONE', one.id],
    ['TWO', two.id],
    ['SENT', sent!],
  ])
  const ends = await runAll(mistakes.map(([args]) => ({ args: args.map((word) => words.get(word) ?? word), env })))
  for (const [index, [args, code, says]] of mistakes.entries()) {
    const ended = ends[index]!
    assert.deepEqual([ended.code, ended.out], [code, ''], args.join(' '))
    assert.match(ended.err, says, args.join(' '))
    assert.doesNotMatch(ended.err, /\n\s+at /)
  }
})
