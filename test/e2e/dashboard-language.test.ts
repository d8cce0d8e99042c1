// Another language in Chromium: whatever the dashboard says comes from its texts, and is loaded with the page
// that says it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Dashboard as BuiltDashboard, readDashboard } from '../../server/dashboard/files.ts'
import { ALLOW_LOOPBACK } from '../support/automation-calls.ts'
import { visitorsAgent } from '../support/browser.ts'
import { openDashboard, type Dashboard, untilTrue } from '../support/dashboard.ts'
import { fillProperty, type FullProperty } from '../support/full-property.ts'
import { moveTo, watchRequests } from '../support/moving.ts'
import { buildPseudoLanguage, PSEUDO } from '../support/pseudo-language.ts'
import { untilStill } from '../support/until.ts'

/** Stands in every name and text that somebody typed or a visitor sent. */
const WORD = 'Zyx'

let dashboard: Dashboard
let property: FullProperty
let built: BuiltDashboard
const ends: (() => unknown)[] = []

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-language-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  dashboard = await openDashboard({ after: (end) => ends.push(end) }, { env: ALLOW_LOOPBACK })
  property = await fillProperty(dashboard.footfall, WORD)
  await buildPseudoLanguage(folder)
  built = readDashboard(folder, {
    route: '/dashboard',
    basePath: '/dashboard',
    apiPath: '',
    names: '',
    taken: [],
    rewriteUrl: undefined,
  })!
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

interface Opened {
  readonly page: Page
  readonly errors: readonly string[]
  /** Files of the dashboard that were loaded. */
  readonly loaded: readonly string[]
  /** Until everything that the page asked for has come. */
  readonly settled: () => Promise<void>
}

/** The dashboard of both languages, in a browser that is set to one. */
async function openIn(locale: string): Promise<Opened> {
  const { browser, footfall, owner } = dashboard
  const context = await browser.newContext({ reducedMotion: 'reduce', locale, ...visitorsAgent })
  ends.push(() => context.close())
  const [name = '', value = ''] = owner.cookie.split(/=(.*)/s)
  await context.addCookies([{ name, value, url: footfall.url }])
  const [errors, loaded]: [string[], string[]] = [[], []]
  await context.route(`${footfall.url}/dashboard/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/dashboard/', '')
    const file = built.files.get(path) ?? (await built.page())
    loaded.push(path)
    await route.fulfill({ body: file.plain, contentType: file.type })
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => errors.push(String(error)))
  return { page, errors, loaded, settled: watchRequests(page) }
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(`${dashboard.footfall.url}/dashboard${path}`)
  await shown(page)
}

async function shown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  await untilStill(page)
}

/** Under the property. */
function pagesOf({ id, ids }: FullProperty): string[] {
  const under = (path: string, names: readonly string[]) => names.map((name) => `${path}${name}`)
  const paths = [
    ...under('', ['', '/live', '/bots', '/start', '/sessions', `/sessions/${ids['session']}`]),
    ...under('/contacts', ['', '/import', `/${ids['contact']}`]),
    ...under('/links', ['', '/groups', '/many', `/${ids['link']}`, `/groups/${ids['group']}`]),
    ...under('/forms', ['', `?new=true`]),
    ...under(`/forms/${ids['form']}`, ['', '/fields', '/settings', '/statistics', '/embed', '/history']),
    `/forms/${ids['form']}?submission=${ids['submission']}`,
    ...under('/automations', ['', '/new', `/${ids['automation']}`, `/${ids['automation']}/settings`]),
    `/automations/${ids['automation']}?delivery=${ids['delivery']}`,
    ...under('/goals', ['', `/${ids['conversion']}`]),
    ...under('/content', ['', `/${ids['block']}`]),
    ...under(`/content/${ids['block']}`, ['/results', '/settings', '/embed', '/history']),
    ...under('/settings', ['', '/general', '/exclusions', '/keys', '/team', '/sharing', '/data']),
  ]
  return paths.map((path) => `/properties/${id}${path}`)
}

/** What somebody typed, and what is no word of a language: names, URLs, units, time zones, currencies. */
const data =
  /^(?:[A-Z]\w+\/[-\w/ ]+|[A-Z]{3})$|Olive Owner|Pat Person|\S+@\S+|https:\S+|\b(?:test|name|email|Chrome|Windows|UTC|[a-z]+:(?:read|write)|[-\w.]+\.(?:com|csv)|byte|min|hook)\b/g

/** Of the service, without an id by which a text could be found. */
const SENTENCE = 'One version was shown in this phase: there is nothing to compare it with.'

/** What a page says in plain letters. Code is left out, and what people typed. */
async function plainWords(page: Page): Promise<string[]> {
  const found = await page.evaluate<string[]>(`(() => {
    const found = new Set()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode
      if (!parent.closest('pre, code, script, style, noscript')) found.add(data.trim())
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll('[' + name + ']')) found.add(element.getAttribute(name))
    return [...found]
  })()`)
  const isPlain = (words: string): boolean => /[a-z]{3}/i.test(words.replaceAll(data, ''))
  return found.filter((words) => isPlain(words) && !words.includes(WORD) && words !== SENTENCE)
}

test('every page is said in the language of the browser', async () => {
  const { page, errors, settled } = await openIn(PSEUDO)
  const found: Record<string, string[]> = {}
  await show(page, '/new')
  for (const path of ['/new', ...pagesOf(property), '/account', '/users', '/mail']) {
    await moveTo(page, `/dashboard${path}`)
    await settled()
    await shown(page)
    const words = await plainWords(page)
    if (words.length > 0) found[path] = words
  }
  assert.deepEqual(found, {})
  assert.equal(await page.evaluate('document.documentElement.lang'), PSEUDO)
  assert.deepEqual(errors, [])
})

test('a page loads its own texts, in one language', async () => {
  const { page, loaded } = await openIn('en-GB')
  await show(page, `/properties/${property.id}/links`)
  const texts = loaded.flatMap((path) => /assets\/(\w\w-\w+)-/.exec(path)?.[1] ?? [])
  assert.deepEqual(texts.toSorted(), ['en-content', 'en-frame', 'en-history', 'en-link', 'en-links', 'en-overview'])
})

test('the reader chooses another language, which stays', async () => {
  const { page } = await openIn('fr')
  await show(page, `/properties/${property.id}`)
  assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
  await page.getByRole('button', { name: 'Olive Owner' }).click()
  await page.getByRole('menuitemradio', { name: 'Pseudo' }).click()
  await untilTrue(page, `document.documentElement.lang === '${PSEUDO}'`)
  await show(page, '/account')
  assert.equal(await page.evaluate('document.documentElement.lang'), PSEUDO)
})
