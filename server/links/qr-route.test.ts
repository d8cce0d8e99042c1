// The QR code of a link as its owner asks for it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { drawSvg, qrText, readPng } from '../../test/support/qr.ts'
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
  assert.equal(qrText(drawSvg(svg.bytes.toString())), short_url)

  const png = await picture(qrPath(id), '?format=png&size=300')
  assert.deepEqual([png.answer.status, png.answer.headers.get('content-type')], [200, 'image/png'])
  assert.equal(png.answer.headers.get('content-disposition'), `inline; filename="${code}.png"`)
  assert.equal(readPng(png.bytes).size, 300)
  assert.equal(qrText(readPng(png.bytes)), short_url)
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
