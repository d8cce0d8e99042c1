// Takes screenshots of every page of the dashboard for docs/screens: `npm run screens`, or with words in
// their names: `npm run screens -- link forms`. It starts a service of its own with generated visits in a
// temporary folder; the files keep their names, so that a change shows in the diff.
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { type DashboardPage, openPage, type PageOptions } from '../test/support/dashboard.ts'
import { pause } from '../test/support/site.ts'
import { type Look, type Shot, shotsOf } from './screens-shots.ts'
import { openWorld, type World } from './screens-world.ts'

const folder = new URL('../docs/screens/', import.meta.url).pathname
const wanted = process.argv.slice(2)

const looks: Readonly<Record<Look, PageOptions & { readonly width: number; readonly height: number }>> = {
  light: { width: 1280, height: 800, theme: 'light' },
  dark: { width: 1280, height: 800, theme: 'dark' },
  phone: { width: 360, height: 780, theme: 'light' },
  '4k': { width: 3840, height: 2160, theme: 'light' },
}

const ends: (() => unknown)[] = []
const ending = { after: (end: () => unknown) => ends.push(end) }

const QUIET_MS = 250
/** Some pages poll for news. */
const MAX_SETTLING_MS = 15_000

/**
 * Watches a page from now on. @returns a function that resolves when all its requests have ended and been
 * rendered.
 */
function watch(page: Page): () => Promise<void> {
  let lastMs = 0
  const open = new Set<Request>()
  const end = (request: Request): void => {
    open.delete(request)
    lastMs = Date.now()
  }
  page.on('request', (request) => {
    // Requests of the previous page never end.
    if (request.isNavigationRequest()) open.clear()
    open.add(request)
  })
  page.on('requestfinished', end).on('requestfailed', end)
  const isBusy = async () => (await page.locator('main [aria-busy=true]').count()) > 0
  return async () => {
    await page.locator('h1').first().waitFor()
    const endMs = Date.now() + MAX_SETTLING_MS
    lastMs = Date.now()
    while (Date.now() < endMs && (open.size > 0 || Date.now() - lastMs < QUIET_MS || (await isBusy()))) await pause(50)
  }
}

interface Watched extends DashboardPage {
  readonly settled: () => Promise<void>
}

/** One per person and format, so that nothing is loaded again for every screenshot. */
const opened = new Map<string, Watched>()

async function pageFor({ dashboard, property }: World, { as, path }: Shot, look: Look): Promise<Watched> {
  const { browser, footfall } = dashboard
  const { height, ...options } = looks[look]
  const key = `${as?.id ?? ''} ${look}`
  const known = opened.get(key) ?? (await openFirst())
  await known.page.goto(`${footfall.url}/dashboard${path}`)
  return known

  async function openFirst(): Promise<Watched> {
    const made = await openPage(ending, browser, footfall, '/icon.svg', { ...options, as })
    await made.page.setViewportSize({ width: options.width, height })
    // The first steps were done long ago here.
    await made.page.evaluate(`localStorage.setItem('footfall-checklist-${property.id}', 'hidden')`)
    const watched = { ...made, settled: watch(made.page) }
    opened.set(key, watched)
    return watched
  }
}

async function take(world: World, shot: Shot, look: Look): Promise<void> {
  const { page, errors, settled } = await pageFor(world, shot, look)
  const before = errors.length
  const { width, height } = looks[look]
  await page.setViewportSize({ width, height: width === 1280 ? (shot.height ?? height) : height })
  await settled()
  if (shot.act) {
    await shot.act(page)
    await settled()
  }
  await page.screenshot({ path: join(folder, `${shot.name}-${look}.png`), animations: 'disabled' })
  await page.unrouteAll()
  console.log(`${shot.name}-${look} ${errors.slice(before).join(' · ')}`)
}

async function run(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const world = await openWorld(ending)
  for (const shot of await shotsOf(world)) {
    if (wanted.length > 0 && !wanted.some((word) => shot.name.includes(word))) continue
    for (const look of shot.looks) await take(world, shot, look)
  }
  const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'))
  const bytes = pictures.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  console.log(`${pictures.length} pictures, ${(bytes / 1024 ** 2).toFixed(1)} MiB`)
}

try {
  await run()
} finally {
  for (const end of ends.toReversed()) await end()
}
