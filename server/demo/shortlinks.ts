// The short links of the invented shop, and which of its visits come through them.
import { type Domain, type Purpose, type Utm, utmNames } from '../links/links.ts'
import { articles, briefPage, DEMO_HOST, homePage, offerPage, products, type Page } from './catalogue.ts'

export interface DemoLink {
  readonly name: string
  readonly domain: Domain
  readonly destination: string
  readonly utm: Utm
  /** The page with the link; '' for mail and paper. */
  readonly referrer: string
  /** The share of matching visits that came through it. */
  readonly share: number
}

export interface DemoGroup {
  readonly name: string
  readonly description: string
  readonly purpose: Purpose
  /** The campaign is over: its links are switched off, and its clicks remain. */
  readonly isArchived?: true
  /** False: nothing is recorded. */
  readonly tracksClicks?: false
  readonly links: readonly DemoLink[]
}

type Placement = Omit<DemoLink, 'name' | 'destination'>

const nameOf = ({ title }: Page): string => title.split(' · ')[0]!

const linkTo = (page: Page, placement: Placement, note?: string): DemoLink => ({
  name: note === undefined ? nameOf(page) : `${note}: ${nameOf(page)}`,
  destination: `https://${DEMO_HOST}${page.path}`,
  ...placement,
})

const topProducts = products.slice(0, 3).map(([, page]) => page)
const topArticles = articles.slice(0, 3).map(([, page]) => page)

const mailed = (month: string): Placement => ({
  domain: 'link-a',
  utm: { utm_source: 'letter', utm_medium: 'email', utm_campaign: month },
  referrer: '',
  share: 0.9,
})

const letters = ['february', 'may', 'september', 'november'].flatMap((month) =>
  [briefPage, offerPage, ...topProducts].map((page) => linkTo(page, mailed(month), month)),
)

const springAdvert: Placement = {
  domain: 'link-a',
  utm: { utm_source: 'instagram', utm_medium: 'paid_social', utm_campaign: 'spring' },
  referrer: 'https://l.instagram.com/',
  share: 0.85,
}

const partnerPage: Placement = {
  domain: 'link-a',
  utm: { utm_source: 'light.design', utm_medium: 'affiliate', utm_campaign: 'partners' },
  referrer: 'https://light.design.example/',
  share: 0.95,
}

const profile: Placement = { domain: 'link-b', utm: {}, referrer: 'https://l.instagram.com/', share: 0.7 }

/** QR codes: there is no referrer, and only the link tells that it was on paper. */
const printed = (share: number): Placement => ({ domain: 'link-b', utm: {}, referrer: '', share })

export const demoGroups: readonly DemoGroup[] = [
  {
    name: 'Letters',
    description: 'What the letter links to, a set for each issue.',
    purpose: 'newsletter',
    links: letters,
  },
  {
    name: 'Spring on Instagram',
    description: 'The advertisements of spring. Over.',
    purpose: 'campaign',
    isArchived: true,
    links: [offerPage, homePage, ...topProducts].map((page) => linkTo(page, springAdvert)),
  },
  {
    name: 'Light & Design',
    description: 'Articles that our partner recommends.',
    purpose: 'affiliate',
    links: [homePage, ...topArticles].map((page) => linkTo(page, partnerPage)),
  },
  {
    name: 'Profile',
    description: 'In our profile and under our posts.',
    purpose: 'social',
    links: [homePage, ...topArticles, ...topProducts].map((page) => linkTo(page, profile)),
  },
  {
    name: 'Printed',
    description: 'QR codes on boxes, labels and in the shop window.',
    purpose: 'partner',
    links: [
      linkTo(homePage, printed(0.08), 'Shop window'),
      ...topProducts.map((page) => linkTo(page, printed(0.35), 'Label')),
    ],
  },
  {
    name: 'Press',
    description: 'For journalists; nothing is recorded.',
    purpose: 'partner',
    tracksClicks: false,
    links: [linkTo({ path: '/about', title: 'About us', seconds: 0 }, printed(0))],
  },
]

const keyOf = (landing: string, referrer: string): string => `${referrer} ${landing}`

/** As in the URL of the visit's first page: the destination with the link's UTM values. */
function landingOf({ destination, utm }: DemoLink): string {
  const query = utmNames.flatMap((name) => (utm[name] === undefined ? [] : [`${name}=${utm[name]}`]))
  return query.length === 0 ? destination : `${destination}?${query.join('&')}`
}

const byLanding = new Map(
  demoGroups.flatMap(({ links }) => links.map((link) => [keyOf(landingOf(link), link.referrer), link] as const)),
)

/** The link through which a visit to this page may have come. */
export function findDemoLink(landing: string, referrer: string): DemoLink | undefined {
  return byLanding.get(keyOf(landing, referrer))
}
