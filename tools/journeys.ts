// Walks the journeys of docs/decisions/0075-looks-of-the-peers.md in Chromium, by keyboard and on a phone,
// and prints its table: what was pressed, which fields were filled in, and how long the dashboard took.
import type { Locator, Page } from 'playwright-core'
import { type Dashboard, openDashboard, openPage } from '../test/support/dashboard.ts'
import { flowOf } from '../test/support/form-flow.ts'

const ends: (() => unknown)[] = []
const ending = { after: (end: () => unknown) => ends.push(end) }

/** More would be lost: the way is wrong. */
const MOST_TABS = 120

/** Somebody who uses the dashboard, and what it costs them. */
interface Hand {
  readonly page: Page
  pressed: number
  fields: number
  /** Buttons, links and options. */
  press(target: Locator): Promise<void>
  fill(target: Locator, text: string): Promise<void>
  /** To a page of the navigation. */
  go(key: string, name: string): Promise<void>
  /** To a section of the settings. */
  section(name: string): Promise<void>
}

function keyboardOf(page: Page): Hand {
  const key = async (name: string): Promise<void> => {
    await page.keyboard.press(name)
    hand.pressed += 1
  }
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
      await key('Tab')
    }
    throw new Error(`${String(target)} is not reached`)
  }
  const hand: Hand = {
    page,
    pressed: 0,
    fields: 0,
    async press(target) {
      await reach(target)
      await key('Enter')
    },
    async fill(target, text) {
      await reach(target)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
      hand.fields += 1
    },
    async go(letter) {
      await key('g')
      await key(letter)
    },
    async section(name) {
      await key('ControlOrMeta+k')
      const search = page.getByRole('combobox', { name: 'Search' })
      await search.waitFor()
      await page.keyboard.insertText(name)
      hand.fields += 1
      await page
        .getByRole('option', { name: `Settings: ${name}` })
        .and(page.locator('[aria-selected=true]'))
        .waitFor()
      await key('Enter')
    },
  }
  return hand
}

function fingerOf(page: Page): Hand {
  const tap = async (target: Locator): Promise<void> => {
    await target.tap()
    hand.pressed += 1
  }
  const navigate = async (name: string): Promise<void> => {
    await tap(page.getByRole('button', { name: 'Open menu' }))
    await tap(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }))
  }
  const hand: Hand = {
    page,
    pressed: 0,
    fields: 0,
    press: tap,
    async fill(target, text) {
      const hasFocus = await target.evaluate((element) => element === element.ownerDocument.activeElement)
      if (!hasFocus) await tap(target)
      await target.fill(text)
      hand.fields += 1
    },
    go: (_key, name) => navigate(name),
    async section(name) {
      await navigate('Settings')
      await tap(page.getByRole('tab', { name, exact: true }))
    },
  }
  return hand
}

interface Walk {
  readonly dashboard: Dashboard
  readonly hand: Hand
  readonly property: () => Promise<{ readonly id: string; readonly key: string }>
}

const button = ({ page }: Hand, name: string) => page.getByRole('button', { name, exact: true })
const field = ({ page }: Hand, label: string) => page.getByLabel(label, { exact: true }).first()
const dialogOf = ({ page }: Hand, name: string) => page.getByRole('dialog', { name })

interface Journey {
  readonly name: string
  readonly walk: (walk: Walk) => Promise<void>
}

const journeys: readonly Journey[] = [
  {
    name: 'First visit: a property, its tracking code, the visit seen',
    async walk({ dashboard, hand, property }) {
      await hand.fill(field(hand, 'Name'), 'Lamps')
      await hand.fill(field(hand, 'Domains'), 'example.com')
      await hand.press(button(hand, 'Create property'))
      await hand.press(button(hand, 'Copy'))
      const { key } = await property()
      await dashboard.footfall.track.load({ key, page: 'https://example.com/' })
      await hand.page.getByText('Your first visit is in').first().waitFor()
      await hand.press(hand.page.getByRole('link', { name: 'Go to overview' }))
      await hand.page.getByRole('heading', { name: 'Get started' }).waitFor()
    },
  },
  {
    name: 'First link: created, copied, with its QR code',
    async walk({ hand }) {
      await hand.go('l', 'Links')
      await hand.fill(field(hand, 'Destination URL'), 'example.com/offers')
      await hand.press(button(hand, 'Create link'))
      await dialogOf(hand, 'Link created').getByRole('img').waitFor()
      await hand.press(button(hand, 'Done'))
    },
  },
  {
    name: 'First form: created, published, its code copied, a lead read',
    async walk({ dashboard, hand, property }) {
      await hand.go('f', 'Forms')
      await hand.press(button(hand, 'New form').first())
      await hand.press(button(hand, 'Create form'))
      await hand.press(button(hand, 'Publish'))
      const placing = dialogOf(hand, 'Put it on a page')
      await hand.press(placing.getByRole('button', { name: 'Copy' }))
      await hand.press(placing.getByRole('button', { name: 'Done' }))
      const { id } = await property()
      const { json } = await dashboard.footfall.call('GET', `/manage/properties/${id}/forms`)
      const flow = flowOf(dashboard.footfall)
      await flow.send(await flow.open(json.data.data[0]), { name: 'Zoë', email: 'zoe@example.com', message: 'Hello' })
      await hand.go('f', 'Forms')
      await hand.press(hand.page.getByRole('main').getByRole('link', { name: /^Contact/ }))
      await hand.press(hand.page.getByRole('link', { name: /Zoë/ }))
      await dialogOf(hand, 'Submission').getByRole('link', { name: 'Reply' }).waitFor()
      await hand.press(button(hand, 'Close'))
    },
  },
  {
    name: 'Invitation: somebody gets a link to join',
    async walk({ hand }) {
      await hand.section('Team')
      await hand.press(button(hand, 'Invite').first())
      const dialog = dialogOf(hand, 'Invite a member')
      await hand.fill(dialog.getByLabel('Email'), 'ben@example.com')
      await hand.press(dialog.getByRole('button', { name: 'Invite', exact: true }))
      const link = dialogOf(hand, 'Invitation link')
      await hand.press(link.getByRole('button', { name: 'Copy' }))
      await hand.press(link.getByRole('button', { name: 'Done' }))
    },
  },
  {
    name: 'First report: who gets it weekly, and what it looks like',
    async walk({ hand }) {
      await hand.section('Reports')
      const panel = hand.page.getByRole('region', { name: 'Weekly report' })
      await hand.fill(panel.getByLabel('Recipients'), 'ben@example.com')
      await hand.press(panel.getByRole('button', { name: 'Save', exact: true }))
      await hand.page.getByText('Saved', { exact: true }).first().waitFor()
      await hand.press(panel.getByRole('button', { name: 'Preview' }))
      await dialogOf(hand, 'Weekly report').locator('iframe').waitFor()
      await hand.press(button(hand, 'Close'))
    },
  },
]

const SITE_PATH = /\/properties\/([^/?#]+)/

async function walkAll(dashboard: Dashboard, handOf: (page: Page) => Hand, isPhone: boolean): Promise<string[]> {
  const width = isPhone ? 360 : 1280
  const { page } = await openPage(ending, dashboard.browser, dashboard.footfall, '/new', {
    as: dashboard.owner,
    width,
    hasTouch: isPhone,
  })
  await page.context().grantPermissions(['clipboard-write', 'clipboard-read'])
  await page.getByRole('heading', { level: 1 }).waitFor()
  const property = async () => {
    const id = SITE_PATH.exec(page.url())?.[1] ?? ''
    const { json } = await dashboard.footfall.call('GET', `/manage/properties/${id}`)
    return json.data.property as { id: string; key: string }
  }
  const cells: string[] = []
  for (const { name, walk } of journeys) {
    const hand = handOf(page)
    const beganMs = performance.now()
    await walk({ dashboard, hand, property })
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(1)
    console.error(`${isPhone ? 'phone' : 'keyboard'}: ${name}: ${hand.pressed}, ${hand.fields}, ${seconds} s`)
    cells.push(`${hand.pressed} · ${hand.fields} · ${seconds} s`)
  }
  return cells
}

try {
  const dashboard = await openDashboard(ending)
  const keyboard = await walkAll(dashboard, keyboardOf, false)
  const phone = await walkAll(dashboard, fingerOf, true)
  console.log('| Journey | Keyboard: keys · fields · time | Phone: taps · fields · time |\n|---|---|---|')
  for (const [at, { name }] of journeys.entries()) console.log(`| ${name} | ${keyboard[at]} | ${phone[at]} |`)
} finally {
  for (const end of ends.toReversed()) await end()
}
