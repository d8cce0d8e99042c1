// The first day of an owner, as steps that say what they are for: open, choose, type, see. Hands (hands.ts)
// take them by mouse, by keyboard or on a phone.
import type { Locator, Page } from 'playwright-core'
import { openPage, type Dashboard } from './dashboard.ts'
import { flowOf } from './form-flow.ts'
import { handOf, type Hand, type HandName } from './hands.ts'
import type { Ending } from './server.ts'

/** Where a control is, or a text. */
type Place = (page: Page) => Locator

interface Walker {
  readonly dashboard: Dashboard
  readonly name: HandName
  readonly page: Page
  readonly hand: Hand
  readonly check: Check
}

/** Looks at a page that is reached. */
type Check = (page: Page) => Promise<void>
const lookAtNothing: Check = () => Promise.resolve()

interface Step {
  readonly words: string
  readonly take: (walker: Walker) => Promise<void>
}

const button =
  (name: string, dialog?: string): Place =>
  (page) =>
    (dialog === undefined ? page : page.getByRole('dialog', { name: dialog }))
      .getByRole('button', { name, exact: true })
      .first()
const field =
  (label: string, region?: string): Place =>
  (page) =>
    (region === undefined
      ? page
      : page.getByRole('region', { name: region }).or(page.getByRole('dialog', { name: region }))
    )
      .getByLabel(label, { exact: true })
      .first()
const link =
  (name: string | RegExp): Place =>
  (page) =>
    page.getByRole('main').getByRole('link', { name }).first()
const dialog =
  (name: string): Place =>
  (page) =>
    page.getByRole('dialog', { name })

const open = (name: string, letter: string): Step => ({
  words: `open ${name}`,
  take: ({ hand }) => hand.open(name, letter),
})
const openSection = (name: string): Step => ({
  words: `open the section ${name}`,
  take: ({ hand }) => hand.openSection(name),
})
const choose = (words: string, place: Place): Step => ({
  words: `choose ${words}`,
  take: ({ hand, page }) => hand.choose(place(page)),
})
const type = (label: string, text: string, region?: string): Step => ({
  words: `type the ${label}`,
  take: ({ hand, page }) => hand.type(field(label, region)(page), text),
})
const see = (words: string, place: Place): Step => ({
  words: `see ${words}`,
  take: ({ page }) => place(page).first().waitFor(),
})
/** What is shown then is worth a look at all of it. */
const checked = (step: Step): Step => ({
  words: step.words,
  async take(walker) {
    await step.take(walker)
    await walker.check(walker.page)
  },
})

const SITE_PATH = /\/properties\/([^/?#]+)/
const propertyIn = (page: Page): string => SITE_PATH.exec(page.url())?.[1] ?? ''

const visit: Step = {
  words: 'somebody visits the site',
  async take({ dashboard: { footfall }, page }) {
    const { json } = await footfall.call('GET', `/manage/properties/${propertyIn(page)}`)
    await footfall.track.load({ key: json.data.property.key, page: 'https://example.com/' })
  },
}
const sendForm: Step = {
  words: 'somebody sends the form',
  async take({ dashboard: { footfall }, page }) {
    const { json } = await footfall.call('GET', `/manage/properties/${propertyIn(page)}/forms`)
    const flow = flowOf(footfall)
    await flow.send(await flow.open(json.data.data[0]), { name: 'Zoë', email: 'zoe@example.com', message: 'Hello' })
  },
}

interface Journey {
  readonly name: string
  readonly steps: readonly Step[]
}

export const journeys: readonly Journey[] = [
  {
    name: 'First visit: a property, its tracking code, the visit seen',
    steps: [
      type('Name', 'Lamps'),
      type('Domains', 'example.com'),
      checked(see('the way on', button('Create property'))),
      choose('Create property', button('Create property')),
      choose('Copy', button('Copy')),
      visit,
      checked(see('that it is in', (page) => page.getByText('Your first visit is in'))),
      choose('Go to overview', link('Go to overview')),
      see('the checklist', (page) => page.getByRole('heading', { name: 'Get started' })),
    ],
  },
  {
    name: 'First link: created, copied, with its QR code',
    steps: [
      open('Links', 'l'),
      type('Destination URL', 'example.com/offers'),
      choose('Create link', button('Create link')),
      checked(see('the QR code', (page) => dialog('Link created')(page).getByRole('img'))),
      choose('Done', button('Done', 'Link created')),
    ],
  },
  {
    name: 'First form: created, published, its code copied, a lead read',
    steps: [
      open('Forms', 'f'),
      choose('New form', button('New form')),
      choose('Create form', button('Create form')),
      choose('Publish', button('Publish')),
      checked(see('where it goes', dialog('Put it on a page'))),
      choose('Copy', button('Copy', 'Put it on a page')),
      choose('Done', button('Done', 'Put it on a page')),
      sendForm,
      open('Forms', 'f'),
      choose('the form', link(/^Contact/)),
      choose('the lead', link(/Zoë/)),
      checked(see('how to answer', (page) => dialog('Submission')(page).getByRole('link', { name: 'Reply' }))),
      choose('Close', button('Close')),
    ],
  },
  {
    name: 'Invitation: somebody gets a link to join',
    steps: [
      openSection('Team'),
      choose('Invite', button('Invite')),
      type('Email', 'ben@example.com', 'Invite a member'),
      choose('Invite', button('Invite', 'Invite a member')),
      checked(see('the link', dialog('Invitation link'))),
      choose('Copy', button('Copy', 'Invitation link')),
      choose('Done', button('Done', 'Invitation link')),
    ],
  },
  {
    name: 'First report: who gets it weekly, and what it looks like',
    steps: [
      openSection('Reports'),
      type('Recipients', 'ben@example.com', 'Weekly report'),
      choose('Save', (page) =>
        page.getByRole('region', { name: 'Weekly report' }).getByRole('button', { name: 'Save' }),
      ),
      checked(see('that it is saved', (page) => page.getByText('Saved', { exact: true }))),
      choose('Preview', (page) =>
        page.getByRole('region', { name: 'Weekly report' }).getByRole('button', { name: 'Preview' }),
      ),
      see('the report', (page) => dialog('Weekly report')(page).locator('iframe')),
      choose('Close', button('Close')),
    ],
  },
]

/** What a journey took. */
export interface Walked {
  readonly journey: string
  readonly count: number
  readonly seconds: number
}

async function takeAll(walker: Walker, { name, steps }: Journey): Promise<void> {
  for (const [at, { words, take }] of steps.entries())
    await take(walker).catch((cause: unknown) => {
      throw new Error(`${walker.name}, ${name}, step ${at + 1}: ${words}: ${String(cause)}`, { cause })
    })
}

interface Day {
  readonly walked: readonly Walked[]
  /** What the console complained about. */
  readonly errors: readonly string[]
}

/** All of them, one after the other, with a property of their own. */
export async function walkJourneys(
  ending: Ending,
  dashboard: Dashboard,
  name: HandName,
  check: Check = lookAtNothing,
): Promise<Day> {
  const { browser, footfall, owner } = dashboard
  const { page, errors } = await openPage(ending, browser, footfall, '/new', {
    as: owner,
    ...(name === 'phone' && { width: 360, isPhone: true }),
  })
  await page.context().grantPermissions(['clipboard-write', 'clipboard-read'])
  await page.getByRole('heading', { level: 1 }).waitFor()
  const walked: Walked[] = []
  for (const journey of journeys) {
    const hand = handOf(name, page)
    const beganMs = performance.now()
    await takeAll({ dashboard, name, page, hand, check }, journey)
    const seconds = (performance.now() - beganMs) / 1000
    walked.push({ journey: journey.name, count: hand.count(), seconds })
  }
  return { walked, errors }
}
