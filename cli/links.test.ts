// Short links on the command line as a shell sees them: files in and out, and that all of a file is created
// or nothing.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newDataDir } from '../test/support/records.ts'
import { ask, type Environment, run, runAll, start, tell, untilWriting } from '../test/support/cli.ts'
import { type Reply, startFootfall } from '../test/support/server.ts'

const footfall = await startFootfall({ after })
const dataDir = footfall.context.config.dataDir
const env: Environment = { DATA_DIR: dataDir, BASE_URL: footfall.context.config.baseUrl }
const folder = newDataDir({ after: (work) => after(work as () => void) })

/** A property of its own for each test, in the records of the running server. */
async function newSite() {
  const property = await footfall.addProperty()
  const at = ['--property', property.id]
  return {
    ...property,
    at,
    links: async () => (await ask(['links', 'list', ...at], env)).links,
    groups: async () => (await ask(['group', 'list', ...at], env)).groups,
    addGroup: async (name: string): Promise<string> =>
      (await ask(['group', 'create', '--name', name, ...at], env)).group.id,
  }
}

let files = 0
function file(text: string): string {
  const path = join(folder, `${++files}.csv`)
  writeFileSync(path, text)
  return path
}

const wordsOf = (args: readonly string[]) => ['links', 'create', '--file', '-', ...args]
const create = (text: string, ...args: readonly string[]) => tell(wordsOf(args), env, text)

/** Cells of a CSV that has no quotes. */
const rowsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

/** A server asks twice a second what other processes have changed. */
async function untilFound(path: string): Promise<Reply> {
  for (let i = 0; i < 3_000; i++) {
    const reply = await footfall.call('GET', path)
    if (reply.status !== 404) return reply
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return assert.fail(`${path} is not known after a minute`)
}

const destination = 'https://shop.example/lamps'

test('links of a file are created beside a running server, which learns of them by itself and redirects', async () => {
  const { at, addGroup } = await newSite()
  await addGroup('Letters')
  const text = `destination_url;Group;domain;name;UTM source\n${destination}#a;Letters;link-b;Lamps;letter\n`
  const { code, out, err } = await run(wordsOf(at), env, text)
  assert.equal(code, 0, err)
  assert.match(err, /^Created 1 link, in \d+\.\d s\.\n$/)
  const [head, row] = rowsOf(out)
  assert.equal(
    head!.join(),
    'destination_url,group,domain,name,utm_source,utm_medium,utm_campaign,utm_term,utm_content,tags,notes,short_url,code,id,group_id,is_active,is_archived,created_ts,starts_ts,ends_ts,max_clicks,used_clicks,expired_url,has_password,rules,split,card_title,card_description,card_image_url',
  )
  const cell = (name: string) => row![head!.indexOf(name)]
  assert.deepEqual(
    [cell('destination_url'), cell('group'), cell('utm_source')],
    [`${destination}#a`, 'Letters', 'letter'],
  )
  assert.equal(cell('short_url'), `${env['BASE_URL']}/b/${cell('code')}`)
  const visit = await untilFound(`/b/${cell('code')}`)
  assert.deepEqual([visit.status, visit.headers.get('location')], [302, `${destination}?utm_source=letter#a`])
})

test('an export of all links creates the same links elsewhere', async () => {
  const [one, other] = [await newSite(), await newSite()]
  const text = `destination_url,group,domain,name,utm_campaign,utm_term\n${destination},"=1+1, ""or"" so",link-a,'-x,\t,"ä;=2"\nhttps://ä.example/?q=%41,B,link-b,,may,\n`
  await create(text, ...one.at, '--create-groups')
  const path = join(folder, 'export.csv')
  assert.deepEqual(await ask(['links', 'export', ...one.at, '--file', path], env), { links: 2, file: path })
  const exported = readFileSync(path, 'utf8')
  assert.match(exported, /\r\nhttps:\/\/shop\.example\/lamps,"'=1\+1, ""or"" so",link-a,'-x,,,,"ä;'=2",,/)
  const done = await create(exported, ...other.at, '--create-groups', '--json')
  const { created, groups, ignored_columns } = JSON.parse(done.out)
  assert.deepEqual([created, groups], [2, 2])
  assert.deepEqual(ignored_columns, ['short_url', 'code', 'id', 'created_ts', 'used_clicks'])
  const known = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ destination_url, domain, name, utm }) => ({ destination_url, domain, name, utm }))
  assert.deepEqual(known(await other.links()), known(await one.links()))
  assert.deepEqual(
    (await other.groups()).map(({ name }: { name: string }) => name),
    ['B', '=1+1, "or" so'],
  )
})

test('bad rows are named by line and reason, not by content, and nothing is created', async () => {
  const site = await newSite()
  const [twice, group] = [await site.addGroup('Twice'), await site.addGroup('Letters')]
  await site.addGroup('Twice')
  const other = await (await newSite()).addGroup('Other')
  const rows = [
    `${destination},${group},link-a,,`,
    `ftp://zqx.example,${group},link-a,,`,
    `${env['BASE_URL']}/a/abcdefg,${twice},link-b,,`,
    `${destination},Twice,link-c,,`,
    `${destination},zqx,link-a,,`,
    `${destination},${other},link-a,,`,
    `${destination},,,,`,
    `,Letters,link-a,,`,
    `${destination},Letters,link-a,${'n'.repeat(121)},${'s'.repeat(256)}`,
    `${destination},Letters`,
  ]
  const text = `destination_url,group,domain,name,utm_source\n${rows.join('\n')}\n`
  const people = await create(text, ...site.at)
  assert.deepEqual([people.code, people.out], [1, ''])
  assert.deepEqual(people.err.split('\n'), [
    'line 3: destination_url: must begin with http:// or https://',
    'line 4: destination_url: may not lead to a short link',
    'line 5: group: is the name of several groups: give the id of one',
    'line 5: domain: must be one of: link-a, link-b',
    'line 6: group: does not match a group of this property',
    'line 7: group: does not match a group of this property',
    'line 8: group: is required',
    'line 8: domain: is required',
    'line 9: destination_url: is required',
    'line 10: name: may have at most 120 characters',
    'line 10: utm_source: may have at most 255 characters',
    'line 11: row: must have as many cells as the header: 5 and not 2',
    'footfall: 9 rows of 10 cannot be imported; nothing was written',
    '',
  ])
  const programs = await create(text, ...site.at, '--json', '--create-groups')
  const { written, rows: count, bad_rows } = JSON.parse(programs.out)
  assert.deepEqual([programs.code, programs.err, written, count, bad_rows], [1, '', false, 10, 8])
  assert.deepEqual(await site.links(), [])
  assert.equal((await site.groups()).length, 3)
})

test('groups that are not there are made when that is asked for, each once, and a dry run makes nothing', async () => {
  const site = await newSite()
  const text = `destination_url,group\n${destination}/1,New\n${destination}/2,\n${destination}/3,New\n`
  const args = [...site.at, '--create-groups', '--group', 'Rest', '--domain', 'link-b']
  const trial = await create(text, ...args, '--dry-run')
  assert.deepEqual(trial, { code: 0, out: 'Would create 3 links and 2 groups. Nothing was written.\n', err: '' })
  assert.deepEqual([await site.links(), await site.groups()], [[], []])

  const path = join(folder, 'made.csv')
  const done = await create(text, ...args, '--out', path)
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /^Created 3 links and 2 groups, in \d+\.\d s\.\nTheir short URLs are in .*made\.csv\.\n$/)
  assert.equal(rowsOf(readFileSync(path, 'utf8')).length, 4)
  const [rest, fresh] = await site.groups()
  assert.deepEqual([rest.name, rest.count_links, fresh.name, fresh.count_links], ['Rest', 1, 'New', 2])
  assert.deepEqual(
    (await site.links()).map((link: { destination_url: string; domain: string }) => [
      link.destination_url.at(-1),
      link.domain,
    ]),
    [
      ['3', 'link-b'],
      ['2', 'link-b'],
      ['1', 'link-b'],
    ],
  )
  const listed = await tell(['links', 'list', ...site.at, '--group', 'Rest'], env)
  assert.match(
    listed.out,
    /^ID +SHORT URL .*\nln_\w+  http:\/\/footfall\.test\/b\/\w{7}  https:\/\/shop\.example\/lamps\/2  Rest   active\n$/,
  )
  const exported = await tell(['links', 'export', ...site.at, '--group', fresh.id], env)
  assert.equal(rowsOf(exported.out).length, 3)
})

test('a file of another service keeps its codes, and one of nobody we know is refused', async () => {
  const site = await newSite()
  await site.addGroup('Moved')
  const args = ['--group', 'Moved', '--domain', 'link-a', ...site.at]
  const dub = 'link,url,title\nhttps://dub.sh/cli-dub,https://example.com/,Spring\n'
  assert.match((await create(dub, '--from', 'dub', ...args)).out, /cli-dub/)
  assert.deepEqual(
    (await site.links()).map(({ code, name }: { code: string; name: string }) => [code, name]),
    [['cli-dub', 'Spring']],
  )
  assert.equal((await create(dub, '--from', 'tinyurl', ...args)).code, 2)
})

test('creating that is killed in the middle leaves nothing behind', async () => {
  const site = await newSite()
  const rows = Array.from({ length: 40_000 }, (_, n) => `${destination}/${n}`).join('\n')
  const path = file(`destination_url\n${rows}\n`)
  const args = ['links', 'create', '--file', path, '--group', 'G', '--domain', 'link-a', '--create-groups', ...site.at]
  const creating = start(args, env)
  await untilWriting(dataDir, creating)
  creating.child.kill('SIGKILL')
  assert.equal((await creating.ended).code, null)
  assert.deepEqual([await site.links(), await site.groups()], [[], []])
})

test('a group is made with all that it can have, and names cannot move the cursor of a terminal', async () => {
  const { at, token } = await newSite()
  const args = ['--purpose', 'social', '--description', 'Posts', '--no-tracking', ...at]
  const { group } = await ask(['group', 'create', '--name', 'Posts\u001b[2J', ...args], env)
  const { json } = await footfall.call('GET', `/v2/property/link-groups/${group.id}`, { token })
  const { purpose, description, track_clicks, state } = json.data.group
  assert.deepEqual([purpose, description, track_clicks, state], ['social', 'Posts', false, 'active'])
  const { out } = await tell(['group', 'list', ...at], env)
  assert.match(out, /\nlg_\w+  Posts\?\[2J  social   active, not recorded  0\n$/)
})

/** ONE stands for the id of a property, CSV for a file with one row. */
const mistakes: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [['links'], 2, /create, list, export/],
  [['links', 'constructor'], 2, /create, list, export/],
  [['links', 'create'], 2, /--file is missing/],
  [['links', 'create', 'x.csv'], 2, /create, list, export/],
  [['links', 'create', '--file', '/nonexistent/x.csv'], 2, /there is no file/],
  [['links', 'create', '--file', '/dev/null', '--property', 'ONE'], 1, /file is empty/],
  [['links', 'create', '--file', '/dev/null', '--property', 'pr_none'], 1, /Property not found/],
  [['links', 'list', '--group', 'none', '--property', 'ONE'], 1, /does not match a group/],
  [['links', 'export', '--json', '--property', 'ONE'], 2, /--file/],
  [['links', 'export', '--file', '/nonexistent/x.csv', '--property', 'ONE'], 1, /ENOENT/],
  [['group'], 2, /create, list/],
  [['group', 'create', '--property', 'ONE'], 2, /--name is missing/],
  [['group', 'create', '--name', 'n'.repeat(121), '--property', 'ONE'], 2, /at most 120/],
  [['group', 'create', '--name', 'n', '--purpose', 'war', '--property', 'ONE'], 2, /must be one of: campaign/],
]

test('a mistake ends with its code and says why on stderr, without a stack', async () => {
  const { id } = await newSite()
  const ends = await runAll(mistakes.map(([args]) => ({ args: args.map((word) => (word === 'ONE' ? id : word)), env })))
  for (const [index, [args, code, says]] of mistakes.entries()) {
    const ended = ends[index]!
    assert.deepEqual([ended.code, ended.out], [code, ''], args.join(' '))
    assert.match(ended.err, says)
    assert.doesNotMatch(ended.err, /\n\s+at /)
  }
})

test('a file that is no table of links is refused by what it lacks', async () => {
  const { at } = await newSite()
  const refused = async (text: string) => (await create(text, ...at)).err
  assert.match(await refused('name\nx\n'), /The column destination_url is required/)
  assert.match(await refused('destination_url,zqx\n'), /Unknown columns: "zqx"\. There are: destination_url, group, /)
  assert.match(await refused('destination_url,Destination URL\n'), /Duplicate columns: "destination_url"/)
})
