// The QR code of a link as its owner asks for it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { encode } from 'fast-png'
import { drawPdf, drawSvg, qrText, readColors, readPng } from '../../test/support/qr.ts'
import { startFootfall } from '../../test/support/server.ts'

const footfall = await startFootfall({ after })

async function newLink(token = footfall.token): Promise<{ id: string; code: string; short_url: string }> {
  const group = await footfall.call('POST', '/v2/property/link-groups', { token, body: { name: 'Labels' } })
  const body = { group_id: group.json.data.group.id, destination_url: 'https://shop.example/', domain: 'link-b' }
  const { json } = await footfall.call('POST', '/v2/property/links', { token, body })
  return json.data.link
}

const qrPath = (link: string, property = footfall.property.id) => `/manage/properties/${property}/links/${link}/qr`

async function picture(path: string, query: string) {
  const answer = await fetch(`${footfall.url}${path}${query}`, {
    headers: { authorization: `Bearer ${footfall.admin}` },
  })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('the QR code of a link leads to its short address, as SVG and as PNG of the wanted size', async () => {
  const { id, code, short_url } = await newLink()
  const svg = await picture(qrPath(id), '')
  assert.equal(svg.answer.status, 200)
  assert.equal(svg.answer.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
  assert.equal(svg.answer.headers.get('content-disposition'), `inline; filename="${code}.svg"`)
  assert.match(svg.bytes.toString(), /^<svg [^>]*width="512" height="512"/)
  assert.equal(qrText(drawSvg(svg.bytes.toString())), `${short_url}?qr`)

  const png = await picture(qrPath(id), '?format=png&size=300')
  assert.deepEqual([png.answer.status, png.answer.headers.get('content-type')], [200, 'image/png'])
  assert.equal(png.answer.headers.get('content-disposition'), `inline; filename="${code}.png"`)
  assert.equal(readPng(png.bytes).size, 300)
  assert.equal(qrText(readPng(png.bytes)), `${short_url}?qr`)
  for (const { answer } of [svg, png]) {
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
})

test('a size or format that is none is refused by name', async () => {
  const { id } = await newLink()
  for (const [query, field] of [
    ['size=63', 'size'],
    ['size=2049', 'size'],
    ['size=big', 'size'],
    ['size=100&size=200', 'size'],
    ['format=gif', 'format'],
  ] as const) {
    const { status, json } = await footfall.call('GET', `${qrPath(id)}?${query}`)
    assert.deepEqual([status, Object.keys(json.errors)], [422, [field]], query)
  }
})

test('only the administrator gets one, of a link that is there, in its own property', async () => {
  const [{ id }, other] = [await newLink(), await footfall.addProperty()]
  const { id: foreign } = await newLink(other.token)
  assert.equal((await footfall.call('GET', qrPath(id), { token: null })).status, 401)
  assert.equal((await footfall.call('GET', qrPath(id), { token: footfall.token })).status, 401)
  for (const link of [foreign, 'ln_none', 'x', '%00']) {
    const { status, json } = await footfall.call('GET', qrPath(link))
    assert.deepEqual([status, json.message], [404, 'The link is not in this property.'], link)
  }
  assert.equal((await footfall.call('GET', qrPath(id, 'pr_none'))).status, 404)
  await footfall.call('DELETE', `/v2/property/links/${id}`)
  assert.equal((await footfall.call('GET', qrPath(id))).status, 404)
})

/** Four red pixels. */
const logo = Buffer.from(
  encode({ width: 2, height: 2, channels: 3, data: Uint8Array.from([255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0]) }),
).toString('base64')

test('the look of a property, with its logo, is that of each code of which nothing else is asked', async (t) => {
  const own = await footfall.addProperty()
  const { id } = await newLink(own.token)
  const path = `/manage/properties/${own.id}/qr-look`
  const save = (body: object) => footfall.call('POST', path, { body })
  const plain = {
    color: '#000000',
    background: '#ffffff',
    margin: 4,
    level: 'M',
    has_logo: false,
    is_logo_there: false,
  }
  assert.deepEqual((await footfall.call('GET', path)).json.data, plain)
  const changed = { ...plain, color: '#1e3a8a', margin: 2, has_logo: true, is_logo_there: true }
  assert.deepEqual((await save({ color: '#1E3A8A', margin: 2, has_logo: true, logo })).json.data, changed)
  assert.deepEqual((await footfall.call('GET', path)).json.data, changed)
  const svg = async (query = '') => (await picture(qrPath(id, own.id), query)).bytes.toString()
  assert.match(await svg(), /<path fill="#1e3a8a" d="M2 2h7v1[^]*<image [^>]*href="data:image\/png;base64,[\w+/=]+"\/>/)
  const without = await svg('?logo=false&color=000000')
  assert.match(without, /fill="#000000"/)
  assert.ok(!without.includes('<image'))
  const pdf = await picture(qrPath(id, own.id), '?format=pdf')
  assert.equal(pdf.answer.headers.get('content-type'), 'application/pdf')
  assert.deepEqual(drawPdf(pdf.bytes).images[0]?.slice(0, 3), [255, 0, 0])
  const png = await picture(qrPath(id, own.id), '?format=png&size=300')
  assert.deepEqual(readColors(png.bytes).colorAt(150, 150), [255, 0, 0])

  await t.test('other properties have theirs', async () => {
    assert.deepEqual((await footfall.call('GET', path.replace(own.id, footfall.property.id))).json.data, plain)
    assert.equal((await footfall.call('GET', `${qrPath((await newLink()).id)}?logo=true`)).status, 422)
  })
  await t.test('what is wrong is named, and nothing is changed by it', async () => {
    for (const [field, value] of [
      ['color', 'red'],
      ['background', 'url(x)'],
      ['margin', 11],
      ['level', 'X'],
      ['logo', 'AAAA'],
      ['logo', 'x'.repeat(90_000)],
      ['has_logo', 'yes'],
    ] as const) {
      const { status, json } = await save({ [field]: value })
      assert.deepEqual([status, Object.keys(json.errors)], [422, [field]], `${field} ${String(value).slice(0, 10)}`)
    }
    assert.deepEqual((await footfall.call('GET', path)).json.data, changed)
  })
  await t.test('it goes, and codes are without it', async () => {
    assert.deepEqual((await save({ logo: null })).json.data, { ...changed, has_logo: false, is_logo_there: false })
    assert.ok(!(await svg()).includes('<image'))
    assert.deepEqual(Object.keys((await save({ has_logo: true })).json.errors), ['has_logo'])
  })
})
