// Own domains for short links in the dashboard, in Chromium: added, waited for, verified, used and removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainProbe } from '../../server/links/domain-probe.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { visit } from '../support/visits.ts'

const HOST = 'go.client.example'
let entered: string | undefined
const domainProbe: DomainProbe = {
  txt: async () => (entered === undefined ? [] : [entered]),
  ask: async (url) => {
    const { host, pathname } = new URL(url)
    return { body: (await visit(dashboard.footfall.url, pathname, { host, fields: {} })).text }
  },
}
const dashboard = await openDashboardOfFile({ domainProbe })
const path = (rest: string): string => `/properties/${dashboard.footfall.property.id}${rest}`

test('a domain is added, entered at the name servers, verified, and used by new links until it is removed', async () => {
  const { page, errors } = await dashboard.open(path('/settings/domains'), { as: dashboard.owner })
  await page.getByText('No domains yet').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Add domain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await page.keyboard.type('not a domain')
  await page.keyboard.press('Enter')
  await dialog.getByText(/must be a domain name like/).waitFor()
  await dialog.getByLabel('Domain').fill(`https://${HOST}/`)
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: HOST }).waitFor()
  await page.getByText('Waiting for DNS').waitFor()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The TXT record is missing').waitFor()
  const row = page.getByRole('row', { name: /TXT/ })
  await row.getByText(`_footfall.${HOST}`).waitFor()
  entered = (await row.innerText()).match(/footfall-domain=\S+/)?.[0]
  assert.ok(entered)
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()

  assert.equal((await visit(dashboard.footfall.url, '/nothing', { host: HOST })).status, 404)
  const leads = page.getByLabel('Redirect to')
  await leads.fill(`https://${HOST}/x`)
  await page.keyboard.press('Enter')
  await page.getByText('may not lead to a short link').waitFor()
  await leads.fill('https://example.com/lost')
  await page.keyboard.press('Enter')
  await page.getByText('Settings saved.').waitFor()
  await assertAccessible(page)
  const lost = await visit(dashboard.footfall.url, '/nothing', { host: HOST })
  assert.deepEqual([lost.status, lost.location], [302, 'https://example.com/lost'])

  await page.goto(`${dashboard.footfall.url}/dashboard${path('/links')}`)
  await page.getByLabel('Destination URL').fill('example.com/quick')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Link created' }).getByText(`${HOST}/`).first().waitFor()

  await page.goto(`${dashboard.footfall.url}/dashboard${path('/settings/domains')}`)
  await page.getByRole('button', { name: 'Remove' }).click()
  const asking = page.getByRole('dialog', { name: `Remove ${HOST}?` })
  await asking.getByText('1 link stops working').waitFor()
  await asking.getByRole('textbox').fill(HOST)
  await asking.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No domains yet').waitFor()
  assert.deepEqual(
    errors.filter((error) => !/status of 4\d\d/.test(error)),
    [],
  )
})

test('on a phone the records fit', async () => {
  entered = undefined
  await dashboard.footfall.call('POST', `/manage${path('/own-domains')}`, { body: { host: HOST, domain: 'link-b' } })
  const { page } = await dashboard.open(path('/settings/domains'), { as: dashboard.owner, width: 390 })
  await page.getByText(`_footfall.${HOST}`).waitFor()
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
})
