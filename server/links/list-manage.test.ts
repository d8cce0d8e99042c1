// The owner's list of links, through the front door, on SQLite and on PostgreSQL: searched, counted in a
// window, and as files in and out.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startPostgres } from '../../test/support/postgres.ts'
import { type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'

const postgres = await startPostgres({ after })
/** Far from any midnight: windows are days. */
const NOW = Date.parse('2026-11-20T12:00:00Z')

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let footfall: Footfall
    let at: string
    let group: string

    before(async () => {
      const url = await databaseUrl()
      footfall = await startFootfall(
        { after: (end) => closers.push(end) },
        { now: NOW, env: { BASE_URL: 'https://footfall.test', ...(url && { DATABASE_URL: url }) } },
      )
      at = `/manage/properties/${footfall.property.id}/links`
      group = ok(await footfall.call('POST', '/v2/property/link-groups', { body: { name: 'Letters' } })).group.id
    })
    after(async () => {
      for (const end of closers.toReversed()) await end()
    })

    const add = async (name: string | null, destination_url: string, group_id = group) =>
      ok(
        await footfall.call('POST', '/v2/property/links', {
          body: { group_id, name, destination_url, domain: 'link-a' },
        }),
      ).link
    const list = async (query: string) => ok(await footfall.call('GET', `${at}?${query}`))
    const names = async (search: string, more = '') =>
      (await list(`search=${encodeURIComponent(search)}${more}`)).data.map(({ name }: { name: string }) => name)
    const bring = (body: object) => footfall.call('POST', `${at}/import`, { body })

    test('words are found in names, codes and destinations, whatever the case of letters, and page by page', async () => {
      const lamp = await add('Lamp 100%_off', 'https://shop.example/Lamps?x=1')
      await add('Chair', 'https://shop.example/chairs')
      await add(null, 'https://elsewhere.example/')
      assert.deepEqual(await names('SHOP.example'), ['Chair', 'Lamp 100%_off'])
      assert.deepEqual(await names('shop lamp'), ['Lamp 100%_off'])
      assert.deepEqual(await names('100%_'), ['Lamp 100%_off'])
      for (const nothing of ['%', '_air', 'lamp chair', "'", '\\', '\u{1f600}']) {
        const found = await names(nothing)
        assert.deepEqual(found, nothing === '%' ? ['Lamp 100%_off'] : [], nothing)
      }
      for (const known of [lamp.code, lamp.short_url, lamp.short_url.replace('https://', '')])
        assert.deepEqual(await names(known), ['Lamp 100%_off'], known)
      assert.equal((await names('\0 ')).length, 3)
      const second = await list('search=shop&page=2&per_page=1')
      assert.deepEqual([second.data[0].name, second.total, second.last_page], ['Lamp 100%_off', 2, 2])
      assert.deepEqual(await names('shop', '&group_id=lg_none'), [])
    })

    test('UTM values are found whatever their letters, and their names are none of them', async () => {
      const create = async (name: string, utm: Record<string, string>) => {
        const body = { group_id: group, name, destination_url: 'https://utm.example/', domain: 'link-a', utm }
        return ok(await footfall.call('POST', '/v2/property/links', { body })).link
      }
      const { id } = await create('Simple', { utm_source: 'Rundbrief', utm_campaign: 'spring-27' })
      await create('Letters', { utm_source: 'Maße "XL"', utm_term: 'C:\\dir' })
      await create('None', {})
      for (const [search, found] of [
        ['rundbrief', ['Simple']],
        ['SPRING-27 simple', ['Simple']],
        ['MASSE', []],
        ['maße', ['Letters']],
        ['"xl"', ['Letters']],
        ['c:\\DIR', ['Letters']],
        ['utm_source', []],
        ['utm.example', ['None', 'Letters', 'Simple']],
      ] as const)
        assert.deepEqual(await names(search), found, search)
      ok(await footfall.call('POST', `/v2/property/links/${id}`, { body: { utm: { utm_source: 'Straße' } } }))
      assert.deepEqual([await names('rundbrief'), await names('straße')], [[], ['Simple']])
    })

    test('letters beyond ASCII are found whatever their capitals and however they are composed, also after a change', async () => {
      const link = await add('Über uns, ΟΔΟΣ, İstanbul', 'https://shop.example/Größe')
      await add('Uber', 'https://taxi.example/')
      for (const search of [
        'über',
        'ÜBER',
        'U\u0308ber',
        'uns über',
        'οδος',
        'οδοσ',
        'istanbul',
        'GRÖSSE'.replace('SS', 'ß'),
        'SHOP.example größe',
      ])
        assert.deepEqual(await names(search), ['Über uns, ΟΔΟΣ, İstanbul'], search)
      assert.deepEqual(await names('uber'), ['Uber'], 'accents count')
      assert.deepEqual(await names('größe', `&group_id=${group}`), ['Über uns, ΟΔΟΣ, İstanbul'])
      assert.equal((await list('search=%C3%BCber')).total, 1)

      const change = async (body: object) =>
        ok(await footfall.call('POST', `/v2/property/links/${link.id}`, { body })).link.name
      assert.equal(await change({ name: 'Plain', destination_url: 'https://shop.example/plain' }), 'Plain')
      assert.deepEqual([await names('über'), await names('PLAIN')], [[], ['Plain']])
      assert.equal(await change({ name: 'ÇA VA' }), 'ÇA VA')
      assert.deepEqual([await names('ça'), await names('va plain')], [['ÇA VA'], ['ÇA VA']])
      assert.equal(await change({ domain: 'link-b' }), 'ÇA VA')
      assert.deepEqual(await names('ça'), ['ÇA VA'])
    })

    test('what came of a link is counted in the window that is asked for', async () => {
      const link = await add('Counted', 'https://example.com/')
      await footfall.call('GET', `/a/${link.code}`, { token: null, headers: { 'user-agent': PERSON } })
      const figures = async (query: string) => (await list(`search=Counted&${query}`)).data[0].figures
      assert.deepEqual(await figures('period=today'), { clicks: 1, arrived: 0, engaged: 0 })
      assert.deepEqual(await figures('period=yesterday'), { clicks: 0, arrived: 0, engaged: 0 })
      assert.equal((await footfall.call('GET', `${at}?period=never`)).status, 422)
    })

    test('what an export says of a link is what an import makes of it, but for its password', async () => {
      const body = { name: 'Whole', tags: ['x'], notes: 'n', destination_url: 'https://example.com/whole' }
      const group_id = ok(await footfall.call('POST', '/v2/property/link-groups', { body: { name: 'Whole' } })).group.id
      const made = { body: { ...body, group_id, domain: 'link-a', code: 'whole' } }
      const { id } = ok(await footfall.call('POST', '/v2/property/links', made)).link
      const to = (place: string) => ({ destination_url: `https://example.com/${place}` })
      const rules = {
        starts_ts: 1_700_000_000,
        ends_ts: 1_900_000_000,
        max_clicks: 9,
        expired_url: 'https://example.com/late',
        rules: [{ id: 'aB3xY9', when: { os: ['iOS'], country: ['FR'] }, ...to('ios') }],
        split: [
          { id: 'cccccc', ...to('one'), weight: 1 },
          { id: 'dddddd', ...to('two'), weight: 3 },
        ],
      }
      ok(await footfall.call('POST', `${at}/${id}/rules`, { body: rules }))
      await footfall.call('GET', '/a/whole', { token: null, headers: { 'user-agent': PERSON } })
      ok(await footfall.call('POST', `${at}/${id}/rules`, { body: { ...rules, password: 'sesame' } }))
      const card = { title: '=Card', description: 'Of the link', image_url: 'https://example.com/i.png' }
      ok(await footfall.call('POST', `${at}/${id}/card`, { body: { card } }))
      ok(await footfall.call('POST', `/v2/property/links/${id}`, { body: { is_archived: true } }))

      const csv = (await footfall.call('GET', `${at}/export?group_id=${group_id}`)).text
      const known = async (link: { id: string }) => {
        const { rules: ruled } = ok(await footfall.call('GET', `${at}/${link.id}/rules`))
        return { ...ruled, ...ok(await footfall.call('GET', `${at}/${link.id}/card`)) }
      }
      const copied = ok(await bring({ csv }))
      const [copy] = copied.links
      assert.deepEqual(await known(copy), { ...rules, used_clicks: 0, has_password: false, card })
      assert.deepEqual(
        [copied.without_password, copy.is_active, copy.is_archived, copy.tags, copy.notes, copy.code === 'whole'],
        [1, false, true, ['x'], 'n', false],
      )
      const elsewhere = csv.replaceAll('whole,ln_', 'whole2,ln_').replace(`,${NOW / 1000},`, ',1600000000,')
      const [moved] = ok(await bring({ csv: elsewhere, keep_codes: true })).links
      assert.deepEqual([moved.code, moved.created_ts, (await known(moved)).used_clicks], ['whole2', 1_600_000_000, 1])

      for (const [text, other, field] of [
        ['1900000000', 'never', 'ends_ts'],
        ['1900000000', '1600000000', 'ends_ts'],
        ['"[{""id""', '"{""id""', 'rules'],
        ['[""FR""]', '[""France""]', 'rules.0.when.country.0'],
        [',true,', ',perhaps,', 'is_active'],
        ['https://example.com/late', 'https://footfall.test/a/whole', 'expired_url'],
        ["'=Card", '', 'card_title'],
      ] as const) {
        assert.ok(csv.includes(text), text)
        assert.equal(ok(await bring({ csv: csv.replace(text, other) })).faults[0].field, field)
      }
    })

    test('a large file is one whole: a code that it has twice is found wherever both rows are', async () => {
      const rows = Array.from({ length: 5_001 }, (_, n) => `https://example.com/${n},many${n}`)
      const csv = ['destination_url,code', ...rows, 'https://example.com/x,many7'].join('\n')
      const trial = ok(await bring({ csv, group: 'Letters', domain: 'link-a', is_trial: true }))
      assert.deepEqual([trial.rows, trial.faults[0].line, trial.faults[0].field], [5_002, 5_003, 'code'])
    })

    test('a file is tried, refused whole for one bad row, written, and taken out again', async () => {
      const csv = 'destination_url,name\nhttps://example.com/one,One\nhttps://example.com/two,=Two\n'
      const trial = ok(await bring({ csv, group: 'New', domain: 'link-b', create_groups: true, is_trial: true }))
      assert.deepEqual([trial.created, trial.created_groups, trial.is_written, trial.links], [2, 1, false, []])
      const bad = ok(await bring({ csv: `${csv}ftp://x,Three\n`, group: 'Letters', domain: 'link-b' }))
      assert.deepEqual([bad.bad_rows, bad.created, bad.is_written, bad.faults[0].line], [1, 0, false, 4])
      assert.deepEqual(await names('example.com/two'), [])
      const done = ok(await bring({ csv, group: 'New', domain: 'link-b', create_groups: true }))
      assert.deepEqual([done.is_written, done.links.map(({ name }: { name: string }) => name)], [true, ['One', '=Two']])
      const { group_id } = done.links[0]
      const file = await footfall.call('GET', `${at}/export?group_id=${group_id}`)
      assert.match(file.headers.get('content-type') ?? '', /^text\/csv/)
      const lines = file.text.trimEnd().split('\r\n')
      assert.equal(lines.length, 3)
      assert.match(lines[2] ?? '', /^https:\/\/example\.com\/two,New,link-b,'=Two,/)
      assert.equal((await bring({ csv: 'colour\nred\n' })).status, 422)
      assert.equal((await footfall.call('GET', `${at}/export?group_id=lg_none`)).status, 404)
    })
  })
}

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

promises('SQLite', async () => undefined)
if (postgres) promises('PostgreSQL', async () => postgres.freshUrl())
