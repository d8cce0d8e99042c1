// Which clicks are scans of a QR code, on short domains by path and by host.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'

const asked = [
  ['', false],
  ['?qr', true],
  ['?utm_source=poster&qr', true],
  ['?qr=', true],
  ['?qr=1', false],
  ['?QR', false],
  ['?x=qr', false],
  ['?qrs', false],
  ['?%71r', false],
] as const

for (const [how, env, host] of [
  ['path', {}, undefined],
  ['host', { LINK_A_URL: 'https://go.example' }, 'go.example'],
] as const)
  test(`a click is a scan by the mark that the QR code puts behind the short URL, on a short domain by ${how}`, async (t) => {
    const footfall = await startFootfall(t, { env })
    const link = await addLink(footfall, { group_id: await addGroup(footfall) })
    const { pathname } = new URL(link.short_url)
    for (const [index, [query]] of asked.entries()) {
      const options = { address: `203.0.113.${index}`, headers: { referer: `https://n${index}.example/` } }
      const { location } = await visit(footfall.url, pathname + query, { ...options, ...(host && { host }) })
      assert.equal(location, 'https://example.com/', `nothing of ${query} is passed on`)
    }
    const { status } = await visit(footfall.url, `${pathname}+?qr`, host === undefined ? {} : { host })
    assert.equal(status, 200, 'the page that shows the destination')
    const { json } = await footfall.call('GET', '/v2/property/clicks', { query: { link_id: link.id } })
    const known = json.data.data.map((click: { referrer_domain: string; is_scan: boolean }) => [
      click.referrer_domain,
      click.is_scan,
    ])
    assert.deepEqual(
      known.toSorted(),
      asked.map(([, isScan], index) => [`n${index}.example`, isScan]),
    )
    const { json: counted } = await footfall.call('GET', `/v2/property/links/${link.id}`)
    assert.equal(counted.data.link.clicks, asked.length, 'a scan is a click')
  })
