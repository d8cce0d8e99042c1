// The frame of the dashboard in Chromium: from a new property to its first visit, the keyboard, the theme, a
// phone, rights, and what may never run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { intercept } from '../support/intercept.ts'
import { untilEqual, untilMatch } from '../support/until.ts'

/** `--paper` of theme.css. */
const DARK_PAPER = 'rgb(17, 18, 20)'
const HOSTILE = `"><img src=x onerror="document.title='run'">`

const dashboard = await openDashboardOfFile()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const focused = (page: Page) => page.evaluate<string>(`document.activeElement?.textContent ?? ''`)
const pathOf = (page: Page) => new URL(page.url()).pathname.replace('/dashboard', '')
const home = () => `/properties/${dashboard.footfall.property.id}`

test('a new property, its line for the site, and its first visit as it arrives', async () => {
  const { footfall, open, owner } = dashboard
  const { page, errors } = await open('/new', { as: owner })
  await heading(page, 'Add a website')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Create property' }).click()
  await page.getByText('Name may not be empty.', { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Tea shop')
  await page.getByLabel('Domains').fill('https://tea.example/shop\nnot a domain!')
  await page.getByRole('button', { name: 'Create property' }).click()
  await page.getByText('Domains: “domain!” must be a host like example.com').waitFor()
  await page.getByLabel('Domains').fill('https://tea.example:8443/shop, www.tea.example, 127.0.0.1:8191 [::1]:8080')
  await page.getByRole('button', { name: 'Create property' }).click()
  await heading(page, 'Set up tracking')
  await page.getByText('Waiting for the first visit').waitFor()
  await assertAccessible(page)
  const { json } = await owner.call('GET', `/manage${pathOf(page).replace('/start', '')}`)
  assert.deepEqual(json.data.property.domains, ['tea.example', 'www.tea.example', '127.0.0.1', '::1'])

  const snippet = (await page.locator('pre').textContent()) ?? ''
  const [, key = ''] = /data-key="(ff_\w+)"/.exec(snippet) ?? []
  assert.ok(snippet.includes(`src="${footfall.url}/signals.js"`), snippet)
  assert.equal((await footfall.track.load({ key, page: 'https://www.tea.example/oolong' })).status, 200)
  await page.getByText('Your first visit is in, from www.tea.example.').waitFor()
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await heading(page, /Overview|Tea shop/)
  await untilMatch(() => pathOf(page), /^\/properties\/pr_\w+$/)
  assert.deepEqual(
    errors.filter((error) => !/status of 422/.test(error)),
    [],
  )
})

test('the keyboard goes everywhere: the list of keys, other properties, back; and is silent while somebody types', async () => {
  const { footfall, open, owner } = dashboard
  const other = await footfall.addProperty({ name: 'Aaa other' })
  const { page } = await open(`${home()}/links`, { as: owner })
  await heading(page, 'Links')
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard' })
  await list.getByText('Show Aaa other').waitFor()
  const key = (await list.locator('dl > div', { hasText: 'Show Aaa other' }).locator('kbd').textContent()) ?? ''
  await page.keyboard.press(key)
  assert.equal(pathOf(page), `${home()}/links`, 'not through a dialog')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press(key)
  await page.waitForURL(`**/properties/${other.id}/links`)
  await page.goBack()
  await page.waitForURL(`**${home()}/links`)

  await page.goto(`${footfall.url}/dashboard/new`)
  await page.getByLabel('Name', { exact: true }).fill('')
  await page.getByLabel('Name', { exact: true }).pressSequentially(`${key}?`)
  await untilEqual(() => page.getByLabel('Name', { exact: true }).inputValue(), `${key}?`)
  await untilEqual(() => pathOf(page), '/new')
})

test('Ctrl K finds pages, actions and records by their names; arrows choose, Enter opens, Escape leaves', async () => {
  const { footfall, open, owner } = dashboard
  const scope = { headers: { 'x-footfall-property': footfall.property.id } }
  const group = await owner.call('POST', '/v2/property/link-groups', {
    ...scope,
    body: { name: 'Spring', purpose: 'campaign' },
  })
  const link = await owner.call('POST', '/v2/property/links', {
    ...scope,
    body: {
      group_id: group.json.data.group.id,
      domain: 'link-a',
      destination_url: 'https://tea.example/',
      name: 'Zoë’s letter',
    },
  })
  assert.equal(link.status, 200, link.text)
  const { page, errors } = await open(`${home()}?period=today`, { as: owner })
  await heading(page, 'Overview')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search' })
  await field.and(page.locator(':focus')).waitFor()
  await assertAccessible(page)
  // Every section of the settings, whichever is added.
  const sections = page.getByRole('option', { name: /^Settings: / })
  for (const name of ['Reports', 'Domains', 'Team']) await sections.filter({ hasText: name }).waitFor()
  await field.fill('zoë')
  const found = page.getByRole('option', { name: /Zoë’s letter/ })
  await found.and(page.locator('[aria-selected=true]')).waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'Zoë’s letter')
  assert.equal(pathOf(page), `${home()}/links/${link.json.data.link.id}`)

  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  await field.fill('se')
  const names = await page.getByRole('option').allTextContents()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: names[1] ?? '', exact: true, selected: true }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('option', { selected: true }).and(page.getByRole('option').last()).waitFor()
  await field.fill('nothing has this name')
  await page.getByRole('status').getByText('Nothing found').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Search or jump to…' }).and(page.locator(':focus')).waitFor()

  await page.keyboard.press('Control+k')
  await field.fill('create link')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${home()}/links?new=1`)
  await page.locator('dialog[open]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await field.fill('theme dark')
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()
  assert.deepEqual(errors, [])
})

test('G and a letter go to a page; J and K move over rows, and from record to record', async () => {
  const { footfall, open, owner } = dashboard
  const scope = { headers: { 'x-footfall-property': footfall.property.id } }
  const group = await owner.call('POST', '/v2/property/link-groups', {
    ...scope,
    body: { name: 'Keys', purpose: 'campaign' },
  })
  for (const name of ['Older link', 'Newer link'])
    await owner.call('POST', '/v2/property/links', {
      ...scope,
      body: { group_id: group.json.data.group.id, domain: 'link-a', destination_url: 'https://tea.example/', name },
    })
  const { page, errors } = await open(`${home()}/settings`, { as: owner })
  await heading(page, 'Settings')
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await heading(page, 'Forms')
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await heading(page, 'Links')
  await page.getByRole('link', { name: /Newer link/ }).waitFor()
  await page.keyboard.press('j')
  await page
    .getByRole('link', { name: /Newer link/ })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('j')
  await page
    .getByRole('link', { name: /Older link/ })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await heading(page, 'Newer link')
  await page.keyboard.press('j')
  await heading(page, 'Older link')
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await heading(page, 'Newer link')
  await page.goBack()
  await heading(page, 'Links')
  assert.deepEqual(errors, [])
})

test('who does not see finds the way: skip link, focus on the new page’s heading, menus by arrows', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}/links`, { as: owner })
  await heading(page, 'Links')
  await page.keyboard.press('Tab')
  await untilEqual(() => focused(page), 'Skip to content')
  await page.keyboard.press('Enter')
  await untilEqual(() => page.evaluate('document.activeElement?.id'), 'main')

  await page.getByRole('link', { name: 'Forms' }).click()
  await heading(page, 'Forms')
  await page.locator('h1:focus', { hasText: 'Forms' }).waitFor()
  await untilMatch(() => page.title(), /^Forms · Test · Footfall$/)

  await page.getByRole('button', { name: 'Olive Owner' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'System' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await untilEqual(() => focused(page), 'Dark theme')
  await page.keyboard.press('Escape')
  await untilEqual(() => focused(page), 'OOOlive Owner', 'back where it came from')
})

test('the theme that was chosen is there before anything is painted, and stays', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}/links`, { as: owner })
  await page.getByRole('button', { name: 'Olive Owner' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.locator('html[data-theme=dark]').waitFor()
  const paper = () => page.evaluate<string>(`getComputedStyle(document.body).backgroundColor`)
  await untilEqual(paper, DARK_PAPER)
  await page.reload({ waitUntil: 'commit' })
  await page.locator('html[data-theme=dark]').waitFor()
  await heading(page, 'Links')
  await untilEqual(paper, DARK_PAPER)
  await assertAccessible(page)
})

test('on a phone everything is within reach, and nothing is wider than the window', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}/links`, { as: owner, width: 360 })
  await heading(page, 'Links')
  await assertNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await heading(page, 'Settings')
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' }) // the menu has closed
  await dashboard.leavePages()
  const start = await open(`${home()}/start`, { as: owner, width: 360, theme: 'dark' })
  await heading(start.page, 'Set up tracking')
  await assertNoSidewaysScroll(start.page)
  await assertAccessible(start.page)
})

test('what one may not see looks as if it were not there', async () => {
  const { footfall, open } = dashboard
  const hidden = await footfall.addProperty({ name: 'Hidden' })
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const { page } = await open('/', { as: viewer })
  await page.waitForURL(`**${home()}`)
  await page.getByRole('button', { name: /^Property/ }).click()
  await page.locator('[popover]:popover-open').getByText('Test').first().waitFor()
  assert.equal(await page.getByText('New property').count(), 0)
  assert.equal(await page.getByText('Hidden').count(), 0)
  for (const path of [`/properties/${hidden.id}`, `/properties/pr_none`, `${home()}/nonsense`, '/nonsense']) {
    await page.goto(`${footfall.url}/dashboard${path}`)
    await heading(page, 'Page not found')
  }
})

test('the overview is also found at a URL like those of the other pages, with its filters', async () => {
  const { open, owner } = dashboard
  const { page, errors } = await open(`${home()}/overview?period=last_7&f=country:equals:Germany`, { as: owner })
  await page.waitForURL(`**${home()}?period=last_7&f=country:equals:Germany`)
  await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor()
  await page.goto(`${dashboard.footfall.url}/dashboard${home()}/overview/nonsense`)
  await heading(page, 'Page not found')
  assert.deepEqual(errors, [])
})

test('pages of no property lead back to the one that was looked at last, without claiming to belong to it', async () => {
  const { footfall, open, owner } = dashboard
  const { page, errors } = await open(`${home()}/links`, { as: owner })
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.locator('[aria-current=page]', { hasText: 'Links' }).waitFor()
  await page.getByRole('button', { name: 'Olive Owner' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await main.getByText('Back to Test', { exact: true }).waitFor()
  await untilEqual(() => main.locator('[aria-current]').count(), 0)
  await assertAccessible(page)
  await main.getByRole('link', { name: 'Forms' }).click()
  await heading(page, 'Forms')
  await main.getByText('Back to').waitFor({ state: 'detached' })
  assert.deepEqual(errors, [])

  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const fresh = await open('/account', { as: viewer })
  const navigation = fresh.page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Go to your properties' }).click()
  await fresh.page.waitForURL(`**${home()}`)
  await dashboard.leavePages()
  const nobody = await open('/account', { as: await addPerson(footfall) })
  await nobody.page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await nobody.page.getByRole('navigation', { name: 'Main' }).getByRole('link').count(), 0)
})

test('sample data is marked on every page of its property; who may remove it is led to where', async () => {
  const { footfall, open, owner } = dashboard
  const { id } = await footfall.addProperty({ name: 'Made up', is_sample: 2 })
  const { page } = await open(`/properties/${id}/links`, { as: owner, width: 360, theme: 'dark' })
  await heading(page, 'Links')
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Sample data' }).click()
  await page.waitForURL(`**/properties/${id}/settings/data`)
  await page.getByRole('switch', { name: 'Show sample data' }).waitFor()
  const viewer = await addPerson(footfall, { roles: { [id]: 'viewer', [footfall.property.id]: 'viewer' } })
  const other = await open(`/properties/${id}/links`, { as: viewer })
  await other.page.getByText('Sample data', { exact: true }).waitFor()
  assert.equal(await other.page.getByRole('link', { name: 'Sample data' }).count(), 0)
  await other.page.goto(`${footfall.url}/dashboard${home()}/links`)
  await heading(other.page, 'Links')
  assert.equal(await other.page.getByText('Sample data', { exact: true }).count(), 0)
})

test('names are text, whatever they hold', async () => {
  const { footfall, open, owner } = dashboard
  const { id } = await footfall.addProperty({ name: HOSTILE })
  const { page, errors } = await open(`/properties/${id}/links`, { as: owner })
  await heading(page, 'Links')
  await page.getByRole('button', { name: `Property: ${HOSTILE}` }).waitFor()
  const turned = await page.evaluate(`getComputedStyle(document.querySelector('header button span')).unicodeBidi`)
  assert.equal(turned, 'isolate', 'what turns the direction round does so within itself')
  assert.equal(await page.locator('img').count(), 0)
  assert.doesNotMatch(await page.title(), /^run$/)
  assert.deepEqual(errors, [])
})

test('the browser itself refuses what the policy forbids', async () => {
  const { open, owner } = dashboard
  const { page, errors } = await open(`${home()}/links`, { as: owner })
  await heading(page, 'Links')
  assert.deepEqual(errors, [])
  const refused = await page.evaluate<string>(`(() => {
    try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); return 'written' } catch (error) { return error.name }
  })()`)
  assert.equal(refused, 'TypeError')
  await page.evaluate(`(() => {
    const script = document.createElement('img'); script.src = 'https://elsewhere.example/x.png'; document.body.append(script)
  })()`)
  await untilMatch(() => errors.join('\n'), /Content Security Policy|TrustedHTML/)
})

test('a preview shows the owner’s HTML and runs none of it', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}/links`, { as: owner })
  await heading(page, 'Links')
  await page.evaluate(`(() => {
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts'
    frame.src = '/dashboard/preview.html'
    frame.addEventListener('load', () => {
      frame.contentWindow.postMessage({ previewHtml: ${JSON.stringify(`<h1 style="color: rgb(0, 128, 0)">Offer</h1>${HOSTILE}<script>document.title='run'</script><a href="javascript:document.title='run'">Press</a>`)} }, '*')
    })
    document.body.append(frame)
  })()`)
  const preview = page.frameLocator('iframe')
  await preview.getByRole('heading', { name: 'Offer' }).waitFor()
  assert.equal(
    await preview.locator('h1').evaluate(`getComputedStyle(document.querySelector('h1')).color`),
    'rgb(0, 128, 0)',
  )
  await preview.getByText('Press').click()
  await untilEqual(() => preview.locator('title').textContent(), 'Preview')
  assert.equal(await preview.locator('body').evaluate('origin'), 'null')
})

test('after an update the old page says so, and the frame stays', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}/links`, { as: owner })
  await heading(page, 'Links')
  await intercept(page, /\/assets\/forms-/, (route) => route.fulfill({ status: 404 }))
  await intercept(page, `**${home()}/forms`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/index-[\w-]+\.js/, 'index-next.js') })
  })
  await page.getByRole('link', { name: 'Forms' }).click()
  await page.getByText('A new version is available').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Live' }).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload' }).click()
  await heading(page, 'Forms')
})

test('filters go with Escape, and come back with Back', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}?f=country:equals:Germany&period=today`, { as: owner })
  await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Visits', exact: true }).first().click()
  await page.waitForURL(`**${home()}/sessions?*`)
  await untilMatch(() => page.url(), /f=country(:|%3A)equals(:|%3A)Germany/, 'carried to the next page')
  await page.goBack()
  await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor({ state: 'detached' })
  await untilMatch(() => page.url(), /\?period=today$/)
  await page.keyboard.press('w')
  await page.waitForURL('**period=last_7')
  await page.goBack()
  await page.goBack()
  await page.getByRole('button', { name: 'Country is Germany', exact: true }).waitFor()
})

test('with more properties than are told at once, the oldest one opens, and is found by its name', async () => {
  const { footfall, open, owner } = dashboard
  const oldest = await footfall.addProperty({ name: 'Zebra shop' })
  for (let n = 0; n < 101; n += 1) await footfall.addProperty({ name: `Shop ${n}` })
  const { page } = await open(`/properties/${oldest.id}/links`, { as: owner })
  await heading(page, 'Links')
  await page.getByRole('button', { name: 'Property: Zebra shop' }).waitFor()
  await page.goto(`${footfall.url}/dashboard/new`)
  await page.getByText('Back to Zebra shop', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Property/ }).click()
  await page.getByRole('searchbox', { name: 'Find property' }).fill('zebra')
  await page.getByRole('link', { name: 'Zebra shop' }).click()
  await page.waitForURL(`**/properties/${oldest.id}`)
  await page.goto(`${footfall.url}/dashboard/properties/pr_00000000000000000000`)
  await heading(page, 'Page not found')
})

test('Escape closes what is in front, one after the other: a few words, the menu of a phone, then the filters', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}?f=country:equals:Germany`, { as: owner, width: 360 })
  const filter = page.getByRole('button', { name: 'Country is Germany', exact: true })
  await filter.waitFor()
  const opener = page.getByRole('button', { name: 'Open menu' })
  const words = page.locator('[role=tooltip]:popover-open')
  await page.keyboard.press('Tab')
  await opener.focus()
  await words.waitFor()
  await page.keyboard.press('Escape')
  await words.waitFor({ state: 'detached' })
  assert.equal(await filter.count(), 1)

  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Forms' }).focus()
  await words.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await opener.and(page.locator(':focus')).waitFor()
  assert.equal(await filter.count(), 1)

  await words.waitFor()
  await page.keyboard.press('Escape')
  await words.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await filter.waitFor({ state: 'detached' })
})

test('keys of one character can be switched off, and Escape stays', async () => {
  const { open, owner } = dashboard
  const { page } = await open(`${home()}?f=country:equals:Germany`, { as: owner })
  const filter = page.getByRole('button', { name: 'Country is Germany', exact: true })
  await filter.waitFor()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard' })
  await list.getByRole('switch').click()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.reload()
  await filter.waitFor()
  const address = page.url()
  for (const key of ['?', 'w', '1', '2', '/', 'x']) await page.keyboard.press(key)
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(page.url(), address)
  await page.keyboard.press('Escape')
  await filter.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Olive Owner' }).click()
  await page.getByRole('menuitem', { name: 'Keyboard' }).click()
  await list.getByRole('switch').click()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press('w')
  await page.waitForURL('**period=last_7*')
})
