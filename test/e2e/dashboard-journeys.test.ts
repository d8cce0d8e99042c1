// A new owner's first day in Chromium, against the whole service as a process of its own: the printed link,
// the first visit, a short link, a form with its webhook, a content block in two versions. What the dashboard
// gives to copy stands on real pages, visitors come to them, and the owner reads the figures.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { verify } from '../../docs/webhooks/verify.ts'
import { PASSWORD } from '../support/accounts.ts'
import { openBrowser, visitorsAgent } from '../support/browser.ts'
import { openPage, type DashboardPage } from '../support/dashboard.ts'
import { certificateFor, type Endpoint, openEndpoint } from '../support/endpoint.ts'
import { buildLibraries } from '../support/libraries.ts'
import { buildPages } from '../support/pages.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually, openSite, type Site } from '../support/site.ts'

const ends: (() => unknown)[] = []
const ending = { after: (end: () => unknown) => ends.push(end) }
let browser: Browser
let service: Service
let endpoint: Endpoint
let site: Site
/** The owner's, from the first link to the last figure. */
let owner: DashboardPage

before(async () => {
  buildPages()
  buildLibraries()
  const folder = mkdtempSync(join(tmpdir(), 'footfall-journeys-'))
  ending.after(() => rmSync(folder, { recursive: true, force: true }))
  browser = await openBrowser(ending)
  const certificate = await certificateFor(['127.0.0.1'])
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, certificate.cert)
  endpoint = await openEndpoint(ending, certificate)
  site = await openSite(ending)
  const env = { WEBHOOK_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: caFile, FSYNC: 'off' }
  service = await startService(ending, join(folder, 'data'), env)
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const choose = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).first().fill(value)
}
const toPage = (name: string) =>
  owner.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
/** What the dashboard gives to copy. */
const codeOf = async (label: string): Promise<string> =>
  (await owner.page.getByLabel(label, { exact: true }).textContent()) ?? ''

/**
 * As it stands in the owner's site: with the line that counts, and something of the dashboard in the middle.
 */
let line = ''
function publish(path: string, title: string, middle = ''): void {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title>${line}</head><body><h1>${title}</h1>${middle}</body></html>`
  site.pages.set(path, { html })
}

/** Somebody of another language is somebody else: all of them come from this machine. */
async function visitor(language: string): Promise<DashboardPage> {
  const context = await browser.newContext({ ...visitorsAgent, locale: language })
  ending.after(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  return { page, errors }
}

const shopUrl = (path: string): string => new URL(path, site.url).href

/** A figure at the top of the overview, as it is read. */
const figureOf = (label: string): Promise<string | null> =>
  owner.page
    .getByRole('group', { name: 'Metrics' })
    .getByRole('button', { name: label })
    .locator('span')
    .nth(1)
    .textContent()

async function assertFigures(expected: Readonly<Record<string, string>>): Promise<void> {
  const read = async () =>
    Object.fromEntries(await Promise.all(Object.keys(expected).map(async (label) => [label, await figureOf(label)])))
  const fits = (figures: object): boolean => JSON.stringify(figures) === JSON.stringify(expected)
  // The page looks again by itself within a minute; nobody here waits as long.
  if (!fits(await eventually(read, fits, 2_000))) await owner.page.reload()
  assert.deepEqual(await eventually(read, fits), expected)
}

/**
 * The cells of the row with that name are as they should be, at the latest when the page was asked for again.
 */
async function assertRow(name: RegExp, expected: readonly (string | RegExp)[]): Promise<void> {
  const row = owner.page.getByRole('row', { name }).first()
  const read = async (): Promise<string[]> => {
    await row.waitFor()
    const cells = await row.getByRole('cell').allInnerTexts()
    return cells.map((cell) => cell.replace(/\s+/g, ' ').trim())
  }
  const readAgain = async (): Promise<string[]> => {
    await owner.page.reload()
    return read()
  }
  const fits = (cells: readonly string[]) =>
    expected.every((wanted, at) => (typeof wanted === 'string' ? cells[at] === wanted : wanted.test(cells[at] ?? '')))
  const cells = fits(await eventually(read, fits, 1_000)) ? expected : await eventually(readAgain, fits)
  assert.ok(cells === expected || fits(cells as string[]), `${String(name)}: ${cells.join(' | ')}`)
}

test('first run: the link, an account, a property, one line on a page, and the visit is there', async () => {
  const [, file = ''] = /is in the file (.+)$/m.exec(service.output()) ?? []
  const link = readFileSync(file, 'utf8').trim()
  assert.ok(link.startsWith(service.url), `the link: ${link}`)
  owner = await openPage(ending, browser, service, link.slice(link.indexOf('/setup')))
  const { page } = owner
  await heading(page, 'Welcome to Footfall')
  await fill(page, { 'Your name': 'Olive Owner', Email: 'olive@example.com', Password: PASSWORD })
  await press(page, 'Create account')
  await heading(page, 'Add a website')
  await fill(page, { Name: 'Lamp shop', Domains: '127.0.0.1' })
  await press(page, 'Create property')
  await page.getByText('Waiting for the first visit…').waitFor()
  line = await codeOf('Tracking code')
  assert.match(line, /^<script defer src="http:\/\/127\.0\.0\.1:\d+\/signals\.js" data-key="ff_\w+"><\/script>$/)

  publish('/', 'Lamps', '<a href="/prices">Prices</a>')
  publish('/prices', 'Prices')
  const ann = await visitor('en-GB')
  await ann.page.goto(`${site.url}?utm_source=Flyer`)
  const arrivedMs = Date.now()
  await page.getByText('Your first visit is in, from 127.0.0.1.').waitFor()
  assert.ok(Date.now() - arrivedMs < 20_000)
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await assertFigures({ Sessions: '1', Views: '1' })
  await page.getByText('1 visitor online').waitFor()
  await page.getByRole('button', { name: 'Flyer', exact: true }).waitFor()

  await ann.page.getByRole('link', { name: 'Prices' }).click()
  await ann.page.getByRole('heading', { name: 'Prices' }).waitFor()
  await toPage('Visits')
  await page.getByRole('link', { name: /^\// }).first().click()
  const story = page.getByRole('dialog')
  await story.getByText('Lamps').first().waitFor()
  await story.getByText('Prices').first().waitFor()
  await page.keyboard.press('Escape')
  await toPage('Overview')
  await assertFigures({ Sessions: '1', Views: '2' })
  assert.deepEqual([...owner.errors, ...ann.errors], [])
})

test('a short link: made, followed by somebody else, and its click and session are where the owner looks', async () => {
  const { page } = owner
  await toPage('Links')
  await page.getByText('No links yet').waitFor()
  await press(page, 'New link')
  const dialog = page.getByRole('dialog', { name: 'New link' })
  await dialog.getByLabel('Destination URL').fill(shopUrl('/prices'))
  await dialog.getByText('More options').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Poster')
  await dialog.getByLabel('Name of the new group').fill('Spring')
  await dialog.getByLabel('Source', { exact: true }).fill('poster')
  await dialog.getByLabel('Campaign', { exact: true }).fill('spring')
  await dialog
    .getByText(/prices\?utm_source=poster/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('link', { name: 'View details' }).click()
  await heading(page, 'Poster')
  const short = (await page.locator('main code').first().textContent()) ?? ''
  assert.match(short, /^http:\/\/127\.0\.0\.1:\d+\/a\/\w+$/)

  const cleo = await visitor('fr-FR')
  await cleo.page.goto(short)
  assert.equal(cleo.page.url(), `${shopUrl('/prices')}?utm_source=poster&utm_campaign=spring`)
  await toPage('Links')
  await assertRow(/Poster/, ['', /Poster/, /.*/, 'On', '1', '1'])
  await toPage('Overview')
  await assertFigures({ Sessions: '2', Views: '3' })
  await choose(page, 'Links')
  await assertRow(/Poster/, [/Poster/, /\/a\//, '1', '1'])
  await choose(page, 'Campaigns')
  await page.getByRole('button', { name: 'spring', exact: true }).click()
  await assertFigures({ Sessions: '1', Views: '1' })
  await toPage('Visits')
  await page
    .getByRole('link', { name: /^\/prices/ })
    .first()
    .click()
  const story = page.getByRole('dialog')
  await story.getByText('Clicked the short link Poster').waitFor()
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /Remove/ })
    .first()
    .click()
  assert.deepEqual([...owner.errors, ...cleo.errors], [])
})

test('a form: built in the builder, filled in on a page, read with its answers, and told to a webhook', async () => {
  const { page } = owner
  await toPage('Forms')
  await press(page, 'New form')
  await fill(page, { Name: 'Ask us' })
  await press(page, 'Create form')
  await heading(page, 'Ask us')
  await press(page, 'Add field')
  await page.getByRole('menuitem', { name: 'Dropdown', exact: true }).click()
  await fill(page, { Label: 'How many lamps?', Options: '1\nmore | More than one' })
  await press(page, 'Save')
  await page.getByText('Saved').first().waitFor()
  await press(page, 'Publish')
  await page.getByRole('dialog', { name: 'Put it on a page' }).waitFor()
  publish('/ask', 'Ask us', await codeOf('Code'))
  await page.keyboard.press('Escape')

  await toPage('Automations')
  await page.getByRole('link', { name: 'New automation' }).first().click()
  await page.getByLabel('Trigger').selectOption({ label: 'A form is submitted' })
  await fill(page, { Name: 'Tell sales', URL: `https://127.0.0.1:${endpoint.port}/leads` })
  await press(page, 'Create automation')
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? ''
  await page.getByLabel('I’ve copied it').check()
  await press(page, 'Go to automation')
  await page.getByText('No deliveries yet').waitFor()

  const bea = await visitor('de-CH')
  await bea.page.goto(shopUrl('/ask'))
  await bea.page.getByLabel('Name', { exact: true }).pressSequentially('Bea', { delay: 30 })
  await bea.page.getByLabel(/^Email/).pressSequentially('bea@example.com', { delay: 20 })
  await bea.page.getByLabel(/^Message/).pressSequentially('Do you deliver to Bern?', { delay: 20 })
  await bea.page.getByLabel('How many lamps?').selectOption('more')
  await bea.page.locator('form').getByRole('button').last().click()
  await bea.page.getByText('Vielen Dank. Ihre Nachricht wurde gesendet.').waitFor()

  const [told] = await eventually(
    async () => endpoint.received,
    (received) => received.length > 0,
  )
  assert.ok(told, 'the endpoint was called')
  const verdict = verify({ secret, header: String(told.headers['x-service-signature']), body: told.body })
  assert.deepEqual(verdict, { valid: true })
  assert.match(told.body, /bea@example\.com/)
  await page.reload()
  await page.getByRole('row', { name: /Delivered.*200/ }).waitFor()

  await toPage('Forms')
  await assertRow(/Ask us/, [/Ask us/, /.*/, 'Published', '1', '1', /100/])
  await page.getByRole('link', { name: /Ask us/ }).click()
  await page.getByRole('link', { name: /Bea/ }).first().click()
  const submission = page.getByRole('dialog', { name: 'Submission' })
  for (const answer of ['Bea', 'bea@example.com', 'Do you deliver to Bern?', 'more'])
    await submission.getByText(answer, { exact: true }).first().waitFor()
  await submission.getByRole('link', { name: 'View visit' }).click()
  const story = page.getByRole('dialog')
  await story.getByText('Submitted form Ask us').waitFor()
  await story.getByText('Webhook: Tell sales').waitFor()
  await page.keyboard.press('Escape')
  await toPage('Overview')
  await assertFigures({ Sessions: '3', Views: '4' })
  assert.deepEqual([...owner.errors, ...bea.errors], [])
})

/** Of so many it would be one in two thousand that all see the same version. */
const LANGUAGES = [
  'en-US',
  'es-ES',
  'it-IT',
  'pt-PT',
  'nl-NL',
  'da-DK',
  'sv-SE',
  'pl-PL',
  'cs-CZ',
  'fi-FI',
  'hu-HU',
  'el-GR',
]
const MIN_VISITORS = 6

async function addVersion(label: string, html: string): Promise<void> {
  const { page } = owner
  await press(page, 'New version')
  const dialog = page.getByRole('dialog', { name: 'New version' })
  await dialog.getByLabel('Version name').fill(label)
  await dialog.getByLabel('HTML', { exact: true }).fill(html)
  await dialog.getByRole('button', { name: 'Add call to action' }).click()
  await dialog.getByLabel('Key', { exact: true }).fill('go')
  await dialog.getByLabel('Label', { exact: true }).fill('See the lamps')
  await dialog.getByLabel('URL', { exact: true }).fill('#lamps')
  await press(page, 'Save version')
  await dialog.waitFor({ state: 'detached' })
}

/** Somebody sees the block, and follows it when it is the loud one. @returns which one it was. */
async function seeBanner(language: string): Promise<'calm' | 'loud'> {
  const { page, errors } = await visitor(language)
  await page.goto(shopUrl('/offers'))
  const words = page.locator('[data-footfall-content] p')
  await words.filter({ hasText: /Calm|Loud/ }).waitFor()
  const isLoud = ((await words.textContent()) ?? '').startsWith('Loud')
  if (isLoud) await page.getByText('See the lamps').click()
  assert.deepEqual(errors, [])
  return isLoud ? 'loud' : 'calm'
}

test('a content block: two versions, each visitor sees one, and the results say what came of them and that it is too early', async () => {
  const { page } = owner
  await toPage('Experiments')
  await press(page, 'New block')
  await fill(page, { Name: 'Banner', Key: 'banner' })
  await press(page, 'Create block')
  await heading(page, 'Banner')
  const link = '<a href="#lamps">See the lamps</a>'
  await addVersion('calm', `<p>Calm words about lamps</p>${link}`)
  await addVersion('loud', `<p>Loud words about <b>lamps</b>!</p>${link}<script>alert(1)</script>`)
  await choose(page, 'Install')
  publish('/offers', 'Offers', await codeOf('Block code'))

  const seen = { calm: 0, loud: 0 }
  for (const language of LANGUAGES) {
    seen[await seeBanner(language)] += 1
    if (seen.calm + seen.loud >= MIN_VISITORS && seen.calm > 0 && seen.loud > 0) break
  }
  assert.ok(seen.calm > 0 && seen.loud > 0, JSON.stringify(seen))
  await choose(page, 'Results')
  const { calm, loud } = seen
  await assertRow(/^calm/, [/^calm/, `${calm}`, '0', '0%'])
  await assertRow(/^loud/, [/^loud/, `${loud}`, `${loud}`, '100%'])
  await page.getByText(/A winner is declared once every version has 100 sessions/).waitFor()
  await toPage('Overview')
  await assertFigures({ Sessions: `${3 + calm + loud}`, Views: `${4 + calm + loud}` })
  await choose(page, 'Experiments')
  await assertRow(/Banner/, [/Banner/, `${calm + loud}`, `${loud}`])
  assert.deepEqual(owner.errors, [])
})
