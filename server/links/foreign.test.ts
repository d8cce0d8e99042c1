// Exports of other services become links with the codes that are in print: all of them, or none with the
// reasons by line.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { addGroup, visit } from '../../test/support/visits.ts'
import { rounds } from '../../test/support/long.ts'
import { Problem } from '../kernel/problem.ts'
import { foreignLines } from './foreign.ts'
import { type ForeignFormat, foreignFormats } from './foreign-fields.ts'

const closers: (() => Promise<void>)[] = []
const lasting = { after: (close: () => Promise<void>) => closers.push(close) }
let footfall: Footfall
let group: string

before(async () => {
  footfall = await startFootfall(lasting, { now: Date.UTC(2026, 10, 18, 6), env: { LOG_LEVEL: 'silent' } })
  group = await addGroup(footfall)
})
after(async () => {
  for (const close of closers) await close()
})

const CREATED = Date.UTC(2024, 0, 15, 10, 30) / 1000
const TO = 'https://example.com/a?b=1,2'
let codes = 0
const nextCode = () => `fc${++codes}`

/** What each service writes of one link. */
const files: Readonly<Record<ForeignFormat, readonly ((code: string) => string)[]>> = {
  bitly: [
    (code) => `Link,Long URL,Title,Created\nhttps://bit.ly/${code},"${TO}",Spring,2024-01-15T10:30:00+0000\n`,
    (code) =>
      JSON.stringify({
        links: [
          {
            id: `bit.ly/${code}`,
            link: `https://bit.ly/${code}`,
            custom_bitlinks: [],
            long_url: TO,
            title: 'Spring',
            created_at: '2024-01-15T10:30:00+0000',
            tags: ['x'],
          },
        ],
        pagination: { total: 1 },
      }),
    (code) =>
      JSON.stringify({
        links: [
          {
            link: 'https://bit.ly/3xyz',
            custom_bitlinks: [`https://bit.ly/${code}`],
            long_url: TO,
            title: 'Spring',
            created_at: '2024-01-15T10:30:00+0000',
          },
        ],
      }),
  ],
  dub: [
    (code) =>
      `link,url,title,clicks,createdAt,tags,archived\nhttps://dub.sh/${code},"${TO}",Spring,7,2024-01-15T10:30:00.000Z,"a, b",false\n`,
    (code) =>
      `Short link,Destination URL,Title,Created at\nhttps://dub.sh/${code},"${TO}",Spring,2024-01-15T10:30:00.000Z\n`,
    (code) =>
      JSON.stringify([
        { domain: 'dub.sh', key: code, url: TO, title: 'Spring', createdAt: '2024-01-15T10:30:00.000Z' },
      ]),
  ],
  shlink: [
    (code) =>
      `createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits\n2024-01-15T11:30:00+01:00,s.test,${code},https://s.test/${code},"${TO}",Spring,a|b,3\n`,
    (code) =>
      JSON.stringify({
        shortUrls: {
          data: [
            {
              shortCode: code,
              shortUrl: `https://s.test/${code}`,
              longUrl: TO,
              title: 'Spring',
              dateCreated: '2024-01-15T10:30:00+00:00',
            },
          ],
        },
      }),
  ],
  yourls: [
    (code) =>
      `"keyword";"url";"title";"timestamp";"ip";"clicks"\n"${code}";"${TO}";"Spring";"2024-01-15 10:30:00";"127.0.0.1";"4"\n`,
    (code) =>
      JSON.stringify({
        links: {
          link_1: {
            shorturl: `http://sho.rt/${code}`,
            url: TO,
            title: 'Spring',
            timestamp: '2024-01-15 10:30:00',
            clicks: '4',
          },
        },
        stats: {},
      }),
  ],
  kutt: [
    (code) =>
      JSON.stringify({
        limit: 10,
        skip: 0,
        total: 1,
        data: [
          {
            address: code,
            target: TO,
            description: 'Spring',
            link: `https://kutt.it/${code}`,
            created_at: '2024-01-15T10:30:00.000Z',
          },
        ],
      }),
  ],
  rebrandly: [
    (code) =>
      `id,createdAt,shortUrl,domain,slashtag,destination,title\nx,2024-01-15T10:30:00.000Z,rebrand.ly/${code},rebrand.ly,${code},"${TO}",Spring\n`,
    (code) =>
      JSON.stringify([
        {
          id: 'x',
          title: 'Spring',
          slashtag: code,
          destination: TO,
          shortUrl: `rebrand.ly/${code}`,
          domain: { fullName: 'rebrand.ly' },
          createdAt: '2024-01-15T10:30:00.000Z',
        },
      ]),
  ],
}

async function load(from: string, csv: string, rest: object = {}) {
  const body = { csv, from, group, domain: 'link-a', ...rest }
  return footfall.call('POST', `/manage/properties/${footfall.property.id}/links/import`, { body })
}

for (const from of foreignFormats)
  test(`a link of ${from} keeps its code, its title and the time of its creation`, async () => {
    for (const write of files[from]) {
      const code = nextCode()
      const file = write(code)
      const trial = (await load(from, file, { is_trial: true })).json.data
      assert.deepEqual([trial.created, trial.is_written, trial.bad_rows], [1, false, 0], JSON.stringify(trial.faults))
      assert.equal((await visit(footfall.url, `/a/${code}`)).status, 404, 'a trial writes nothing')
      const [link] = (await load(from, file)).json.data.links
      const { destination_url, name, created_ts } = link
      assert.deepEqual([link.code, destination_url, name, created_ts], [code, TO, 'Spring', CREATED], file)
      assert.equal((await visit(footfall.url, `/a/${code}`)).location, TO)
      assert.equal((await load(from, file)).json.data.faults[0].field, 'code', 'taken by now')
    }
  })

test('a bad link is named by its line, and then none is created', async () => {
  const rows = [
    'short,url,title',
    'https://dub.sh/one1,https://example.com/,x',
    'https://dub.sh/docs/a,https://example.com/,x',
  ]
  const csv = `link${rows.join('\n').slice(5)}\nhttps://dub.sh/ok22,ftp://example.com/,x\nhttps://dub.sh/one1,https://example.com/,x\nhttps://dub.sh/Login,https://example.com/,\nhttps://dub.sh/,,x\n`
  const { created, is_written, faults } = (await load('dub', csv)).json.data
  assert.deepEqual([created, is_written], [0, false])
  assert.deepEqual(
    faults.map(({ line, field }: { line: number; field: string }) => `${line} ${field}`),
    ['3 code', '4 destination_url', '5 code', '6 code', '7 destination_url'],
  )
  assert.equal((await visit(footfall.url, '/a/one1')).status, 404)
  const list = [
    { target: 'https://example.com/', address: 'json1' },
    { target: 'javascript:alert(1)', address: 'json2' },
  ]
  const inJson = (await load('kutt', JSON.stringify({ data: list }))).json.data
  assert.deepEqual([inJson.faults[0].line, inJson.is_written], [2, false])
})

test('short codes of other services are kept; whoever creates a link by hand has none, and says no other time', async () => {
  const [link] = (await load('yourls', 'keyword,url\nz,https://example.com/\n')).json.data.links
  assert.equal(link.code, 'z')
  assert.equal((await visit(footfall.url, '/a/z')).location, 'https://example.com/')
  const draft = { group_id: group, domain: 'link-a', destination_url: 'https://example.com/' }
  const own = { body: { ...draft, code: 'y', isKept: true, createdTs: 5 } }
  assert.equal((await footfall.call('POST', '/v2/property/links', own)).status, 422)
  const late = await footfall.call('POST', '/v2/property/links', { body: { ...draft, createdTs: 'x' } })
  assert.equal(late.json.data.link.created_ts, Math.floor(footfall.clock.now() / 1000))
})

test('tags come along, as texts, with names, or in one cell', async () => {
  const tagsOf = async (from: string, csv: string) => (await load(from, csv)).json.data.links[0].tags
  const url = 'https://example.com/'
  assert.deepEqual(await tagsOf('dub', `link,url,tags\nd.co/tag1,${url},"a, b"\n`), ['a', 'b'])
  assert.deepEqual(await tagsOf('shlink', `shortCode,longUrl,tags\ntag2,${url},a|b\n`), ['a', 'b'])
  const named = [{ key: 'tag3', url, tags: [{ id: 't', name: 'a' }, { name: 'b' }] }]
  assert.deepEqual(await tagsOf('dub', JSON.stringify(named)), ['a', 'b'])
  assert.deepEqual(await tagsOf('bitly', JSON.stringify([{ id: 'bit.ly/tag4', long_url: url, tags: ['a'] }])), ['a'])
})

test('limits, rules and what was turned off come along, and a link with a password is off until it has one', async () => {
  const url = 'https://example.com/'
  const bring = async (from: string, links: object) => {
    const { json } = await load(from, JSON.stringify(links))
    assert.equal(json.data.is_written, true, JSON.stringify(json))
    const [link] = json.data.links
    const at = `/manage/properties/${footfall.property.id}/links/${link.id}/rules`
    return { ...json.data, link, rules: (await footfall.call('GET', at)).json.data.rules }
  }
  const dub = await bring('dub', [
    {
      key: 'lim1',
      url,
      archived: true,
      comments: 'for the fair',
      expiresAt: '2027-01-01T00:00:00.000Z',
      expiredUrl: `${url}late`,
      ios: `${url}ios`,
      geo: { FR: `${url}fr` },
      password: 'secret',
    },
  ])
  assert.deepEqual(
    [dub.link.is_archived, dub.link.is_active, dub.link.notes, dub.without_password],
    [true, false, 'for the fair', 1],
  )
  assert.deepEqual([dub.rules.ends_ts, dub.rules.expired_url], [Date.UTC(2027, 0) / 1000, `${url}late`])
  assert.deepEqual(
    dub.rules.rules.map(({ when, destination_url }: Record<string, unknown>) => [when, destination_url]),
    [
      [{ os: ['iOS'] }, `${url}ios`],
      [{ country: ['FR'] }, `${url}fr`],
    ],
  )
  assert.equal((await visit(footfall.url, '/a/lim1')).status, 404)

  const meta = { validSince: '2026-01-01T00:00:00Z', validUntil: '2999-01-01T00:00:00Z', maxVisits: 3 }
  const shlink = await bring('shlink', [{ shortCode: 'lim2', longUrl: url, visitsCount: 2, meta }])
  assert.deepEqual(
    [shlink.rules.starts_ts, shlink.rules.ends_ts, shlink.rules.max_clicks, shlink.rules.used_clicks],
    [Date.UTC(2026, 0) / 1000, 9_999_999_999, 3, 2],
  )
  assert.equal((await visit(footfall.url, '/a/lim2')).status, 302)
  assert.equal((await visit(footfall.url, '/a/lim2')).status, 410)

  const kutt = await bring('kutt', [
    { address: 'lim3', target: url, banned: true, password: false, expire_in: '2027-05-01T10:00:00.000Z' },
  ])
  assert.deepEqual([kutt.link.is_active, kutt.rules.ends_ts], [false, Date.UTC(2027, 4, 1, 10) / 1000])
  const soon = `link,url,Expires At\nd.co/lim4,${url},soon\n`
  assert.deepEqual((await load('dub', soon)).json.data.faults, [
    { line: 2, field: 'ends_ts', reason: 'must be a whole number or null' },
  ])
})

test('a file of very many columns is refused before its rows are read', async () => {
  const wide = `link,url,${'x,'.repeat(100_000)}\n${'d.co/a,https://example.com/\n'.repeat(4_000)}`
  const { status, text } = await load('dub', wide)
  assert.equal(status, 422)
  assert.match(text, /more than 200 columns/)
})

test('long titles are cut, times that are none are those of the import', async () => {
  const csv = `longUrl,shortCode,title,createdAt\nhttps://example.com/,long1,${'ä'.repeat(500)},soon\n`
  const [link] = (await load('shlink', csv)).json.data.links
  assert.deepEqual([link.name.length, link.created_ts], [120, Math.floor(footfall.clock.now() / 1000)])
})

test('a file of something else is refused in words', async () => {
  const others = [
    '',
    '[]',
    '{}',
    'null',
    '{',
    '[1,2]',
    'a,b\n1,2\n',
    'destination_url\nhttps://example.com/\n',
    '{"data":{"data":{"data":{"data":[]}}}}',
  ]
  for (const from of foreignFormats)
    for (const file of others) assert.equal((await load(from, file)).status, 422, `${from} ${file}`)
  assert.equal((await load('tinyurl', files.dub[0]!('x'))).status, 422)
})

test('whatever a file holds, it is read or refused', async () => {
  const json = fc.jsonValue().map((value) => JSON.stringify(value))
  const row = fc.array(fc.string(), { maxLength: 6 }).map((cells) => cells.join(','))
  const csv = fc.array(row, { maxLength: 6 }).map((lines) => ['link,url,keyword,long_url', ...lines].join('\n'))
  const file = fc.oneof(json, csv, fc.string(), fc.string({ unit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...foreignFormats), file, async (from, text) => {
      try {
        const lines = await Array.fromAsync(foreignLines(from, Readable.from([Buffer.from(text)]), 1_000_000))
        for (const { cells } of lines) assert.equal(cells.length, lines[0]!.cells.length)
      } catch (error) {
        assert.ok(error instanceof Problem, String(error))
      }
    }),
    { numRuns: rounds(200, 5000) },
  )
})
