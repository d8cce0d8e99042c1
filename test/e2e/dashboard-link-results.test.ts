// The results of a link in the dashboard, in Chromium: from clicks to value, the people behind them, and two
// links side by side.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { contactCalls } from '../support/contact-calls.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { addGroup, addLink, visit } from '../support/visits.ts'
import { untilEqual } from '../support/until.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>`

const dashboard = await openDashboardOfFile()
const { footfall } = dashboard
const path = (rest: string): string => `/properties/${footfall.property.id}${rest}`

async function liveThrough(link: { readonly short_url: string }, address: string, email: string): Promise<void> {
  const { pathname } = new URL(link.short_url)
  await visit(footfall.url, pathname, { address, headers: { referer: 'https://news.example/' } })
  const { json } = await footfall.track.load({ address })
  const calls = contactCalls(footfall)
  const known = await calls.identifyVisitor(json.session_id, { email }, { address })
  assert.equal(known.status, 200, known.text)
  await footfall.track.acquisition(json.session_id, { value: 1250, currency: 'USD' }, { address })
}

test('a link says what came of it and who, leads to the story of a visit, and is compared with another by keyboard', async () => {
  const group = await addGroup(footfall, { name: 'Spring' })
  const [letter, poster] = [
    await addLink(footfall, { group_id: group, name: 'Letter' }),
    await addLink(footfall, { group_id: group, name: HOSTILE }),
  ]
  await liveThrough(letter, '203.0.113.1', 'ada@example.com')
  await visit(footfall.url, new URL(letter.short_url).pathname, { address: '203.0.113.2' })
  await visit(footfall.url, new URL(poster.short_url).pathname, { address: '203.0.113.3' })

  const { page, errors } = await dashboard.open(path(`/links/${letter.id}`), { as: dashboard.owner })
  const strip = page.getByRole('region', { name: 'Results', exact: true })
  const cell = (label: string) => strip.locator('dl > div', { hasText: label }).locator('dd').first()
  await untilEqual(() => cell('Clicks').textContent(), '2')
  for (const [label, value] of [
    ['Visitors', '2'],
    ['Arrived', '1'],
    ['Contacts', '1'],
  ] as const)
    assert.equal(await cell(label).textContent(), value, label)
  assert.match((await cell('Value').textContent()) ?? '', /12\.50/)
  await page.getByRole('region', { name: 'Referrers' }).getByText('news.example').waitFor()
  await assertAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    strip.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  assert.match(readFileSync(await file.path(), 'utf8'), /^by,value,clicks,.*\r\nall,,2,2,1,/)

  await strip.getByRole('button', { name: 'Compare' }).focus()
  await page.keyboard.press('Enter')
  const chooser = page.getByRole('dialog', { name: 'Compare with another link' })
  await chooser.getByRole('button', { name: HOSTILE }).waitFor()
  assert.equal(await chooser.getByRole('button', { name: 'Letter' }).count(), 0, 'a link is not compared with itself')
  await assertAccessible(page)
  await chooser.getByRole('button', { name: HOSTILE }).focus()
  await page.keyboard.press('Enter')
  await strip.getByText(`Compared with ${HOSTILE}`).waitFor()
  assert.match(page.url(), new RegExp(`with=${poster.id}`))
  await untilEqual(async () => (await strip.locator('dl > div').first().allTextContents())[0]?.includes(HOSTILE), true)
  await assertAccessible(page)
  await strip.getByRole('button', { name: 'Stop comparing' }).click()
  await strip.getByText(`Compared with ${HOSTILE}`).waitFor({ state: 'detached' })

  const people = page.getByRole('table', { name: /Contacts who arrived/ })
  await people.getByRole('link', { name: 'ada@example.com' }).waitFor()
  await people.getByRole('link', { name: 'Show visit' }).click()
  await page.waitForURL(/\/sessions\//)
  await page.getByText('Letter').first().waitFor()
  assert.deepEqual(errors, [])
})

test('a split shows its destinations side by side, by a goal, and says when there is not enough to tell', async () => {
  const group = await addGroup(footfall, { name: 'Split' })
  const link = await addLink(footfall, { group_id: group, name: 'Split link' })
  const at = `/manage/properties/${footfall.property.id}`
  const places = ['https://example.com/red', `https://example.com/blue?${encodeURIComponent(HOSTILE)}`]
  await footfall.call('POST', `${at}/conversions`, {
    body: { name: HOSTILE, event_type: 'event', event_value: 'signup' },
  })
  const openLink = async (options: { width?: number; theme?: 'dark' } = {}) => {
    const opened = await dashboard.open(path(`/links/${link.id}`), { as: dashboard.owner, ...options })
    await opened.page.getByRole('region', { name: 'Results', exact: true }).waitFor()
    return opened
  }
  const plain = await openLink()
  await plain.page.getByText('No clicks in this period').waitFor()
  assert.equal(await plain.page.getByRole('region', { name: 'Split results' }).count(), 0, 'there is no split')

  const body = { rules: [], split: places.map((destination_url) => ({ destination_url, weight: 1 })) }
  assert.equal((await footfall.call('POST', `${at}/links/${link.id}/rules`, { body })).status, 200)
  const ways: (string | undefined)[] = []
  for (let person = 1; person <= 8; person++)
    ways.push(
      (await visit(footfall.url, new URL(link.short_url).pathname, { address: `203.0.114.${person}` })).location,
    )
  const led = (place: string) => String(ways.filter((way) => way === place).length)

  const { page, errors } = await openLink()
  const panel = page.getByRole('region', { name: 'Split results' })
  const cells = (row: number) => panel.locator('tbody tr').nth(row).locator('td, th').allTextContents()
  await panel.getByText('each destination must have had at least 100 visitors').waitFor()
  for (const [row, place] of places.entries()) {
    const [name, clicks, visitors, arrived] = await cells(row)
    assert.match(name ?? '', row === 0 ? /example\.com\/red/ : /example\.com\/blue/)
    assert.deepEqual([clicks, visitors, arrived], [led(place), led(place), '0'])
  }
  await assertAccessible(page)
  await panel.getByLabel('Goal').selectOption({ label: HOSTILE })
  await page.waitForURL(/goal=cv_/)
  await page.reload()
  await panel.getByText('each destination must have had at least 100 visitors').waitFor()
  assert.equal(await panel.getByLabel('Goal').locator('option:checked').textContent(), HOSTILE)
  assert.deepEqual(errors, [])
  const phone = await openLink({ width: 360, theme: 'dark' })
  await phone.page.getByRole('region', { name: 'Split results' }).locator('tbody tr').first().waitFor()
  await assertNoSidewaysScroll(phone.page)
  await assertAccessible(phone.page)
})

test('the results of a group fit on a phone, in the dark, and say what to do while there are none', async () => {
  const group = await addGroup(footfall, { name: 'Empty' })
  await addLink(footfall, { group_id: group })
  const { page, errors } = await dashboard.open(path(`/links/groups/${group}`), {
    as: dashboard.owner,
    width: 390,
    theme: 'dark',
  })
  await page.getByText('No clicks in this period').waitFor()
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('searchbox', { name: 'Search groups' }).fill('spr')
  await page.getByRole('dialog').getByRole('button', { name: 'Spring' }).click()
  await page.getByText('Compared with Spring').waitFor()
  await assertNoSidewaysScroll(page)
  assert.deepEqual(errors, [])
})
