// A share link in a frame of another website, in Chromium: shown where its owner allows it, and nowhere else.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { openDashboardOfFile } from '../support/dashboard.ts'

const dashboard = await openDashboardOfFile()
const { footfall, open, owner } = dashboard

/** A website with a frame of `url`. @returns its origin */
async function openWebsite(urlOf: () => string): Promise<string> {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html')
    answer.end(`<title>Site</title><iframe src="${urlOf()}" width="900" height="900"></iframe>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test('a share link is made with its websites and a badge, and is shown in their frames alone', async () => {
  for (let visitor = 1; visitor <= 4; visitor++) await footfall.track.load({ address: `203.0.113.${visitor}` })
  let url = ''
  const [allowed, other] = [await openWebsite(() => url), await openWebsite(() => url)]
  const { page, errors } = await open(`/properties/${footfall.property.id}/settings/sharing`, { as: owner })
  await page.getByRole('button', { name: 'New share link' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Client')
  await page.getByRole('textbox', { name: 'Websites that may embed it' }).fill('not a website')
  await page.getByRole('checkbox', { name: /Live visitors badge/ }).check()
  await page.getByRole('dialog').getByRole('button', { name: /link$/ }).click()
  await page.getByText(/must be a website like/).waitFor()
  await page.getByRole('textbox', { name: 'Websites that may embed it' }).fill(`${allowed}/page`)
  await page.getByRole('dialog').getByRole('button', { name: /link$/ }).click()
  await page.getByRole('heading', { name: 'Embed', exact: true }).waitFor()
  const codes = await page.locator('dialog pre').allTextContents()
  assert.ok(codes[1]?.includes(`<iframe src="${codes[0]}"`), codes[1])
  // Nobody serves the address that tests are told to have.
  url = footfall.url + new URL(codes[0] ?? '').pathname
  const [, image = ''] = /src="([^"]*)"/.exec(codes[2] ?? '') ?? []
  assert.match(await (await fetch(image)).text(), /4 online now/)
  assert.deepEqual(
    errors.filter((error) => !/status of 422/.test(error)),
    [],
  )

  await page.goto(allowed)
  await page.frameLocator('iframe').getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await page.goto(other)
  assert.ok(await page.evaluate('true'))
  while (refused.length === 0) await page.waitForEvent('console')
  assert.match(refused.join(), /frame-ancestors/)
  assert.equal(await page.frameLocator('iframe').getByRole('heading').count(), 0)
})
