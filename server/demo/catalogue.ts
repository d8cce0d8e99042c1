// What the demo's traffic consists of: an invented lamp shop, its pages, its campaigns and its visitors.
// Every list is weighted so that one draw decides; the names are made up, the agents and address blocks are
// of the kinds that real logs show.

/** [weight, item]: weights may have any sum. */
export type Weighted<Item> = readonly (readonly [number, Item])[]

export const DEMO_HOST = 'demo.example'

export interface Page {
  readonly path: string
  readonly title: string
  /** Typical seconds on the page. */
  readonly seconds: number
}

const page = (path: string, title: string, seconds: number): Page => ({
  path,
  title: `${title} · Lumen & Lark`,
  seconds,
})

export const homePage = page('/', 'Lamps that outlive trends', 24)
export const cartPage = page('/cart', 'Your cart', 35)
export const checkoutPage = page('/checkout', 'Checkout', 95)
export const thanksPage = page('/checkout/thanks', 'Thank you', 14)
export const offerPage = page('/offers/spring', 'Spring offers', 30)
export const briefPage = page('/letters/archive', 'Letters', 48)

export const articles: Weighted<Page> = [
  [30, page('/journal/how-bright-is-bright-enough', 'How bright is bright enough?', 140)],
  [24, page('/journal/warm-or-cold-light', 'Warm or cold light', 125)],
  [18, page('/journal/repairing-a-brass-switch', 'Repairing a brass switch', 210)],
  [14, page('/journal/reading-lamps-compared', 'Reading lamps, compared', 190)],
  [11, page('/journal/light-and-sleep', 'Light and sleep', 155)],
  [9, page('/journal/a-visit-to-the-workshop', 'A visit to the workshop', 110)],
  [7, page('/journal/linen-paper-glass', 'Linen, paper, glass', 100)],
  [5, page('/journal/wiring-for-beginners', 'Wiring for beginners', 230)],
]

export const products: Weighted<Page> = [
  [22, page('/lamps/heron', 'Heron floor lamp', 52)],
  [19, page('/lamps/wren', 'Wren desk lamp', 47)],
  [14, page('/lamps/barn-owl', 'Barn Owl pendant', 44)],
  [12, page('/lamps/kestrel', 'Kestrel wall lamp', 41)],
  [9, page('/lamps/nightjar', 'Nightjar bedside lamp', 43)],
  [7, page('/lamps/lapwing', 'Lapwing clip lamp', 36)],
  [5, page('/lamps/plover', 'Plover lantern', 39)],
  [4, page('/parts/bulbs', 'Bulbs', 31)],
  [3, page('/parts/shades', 'Shades', 33)],
]

/** Where visitors go next when they do not buy. */
export const wanderings: Weighted<Page> = [
  [30, page('/lamps', 'All lamps', 38)],
  [16, homePage],
  [12, page('/about', 'About us', 33)],
  [10, page('/journal', 'Journal', 28)],
  [8, page('/delivery', 'Delivery and returns', 27)],
  [6, page('/stores', 'Stores', 25)],
  [5, page('/contact', 'Contact', 40)],
  [3, page('/jobs', 'Jobs', 45)],
]

export type Landing = 'home' | 'article' | 'product' | 'offer' | 'letter'

export interface Origin {
  readonly referrer: string
  /** Query of the landing page, without the question mark. */
  readonly query: string
  readonly landings: Weighted<Landing>
}

const searching: Weighted<Landing> = [
  [5, 'article'],
  [3, 'product'],
  [2, 'home'],
]
const talking: Weighted<Landing> = [
  [6, 'article'],
  [2, 'product'],
  [2, 'home'],
]
const knowing: Weighted<Landing> = [
  [7, 'home'],
  [2, 'product'],
  [1, 'article'],
]
const buying: Weighted<Landing> = [
  [6, 'product'],
  [3, 'offer'],
  [1, 'home'],
]

const from = (referrer: string, landings: Weighted<Landing>, query = ''): Origin => ({ referrer, query, landings })

export const origins: Weighted<Origin> = [
  [240, from('', knowing)],
  [250, from('https://www.google.com/', searching)],
  [34, from('https://www.bing.com/', searching)],
  [22, from('https://duckduckgo.com/', searching)],
  [10, from('https://search.yahoo.com/', searching)],
  [9, from('https://www.ecosia.org/', searching)],
  [6, from('https://yandex.ru/', searching)],
  [30, from('https://chatgpt.com/', talking)],
  [13, from('https://www.perplexity.ai/', talking)],
  [7, from('https://claude.ai/', talking)],
  [6, from('https://gemini.google.com/', talking)],
  [28, from('https://www.reddit.com/', talking)],
  [24, from('https://l.instagram.com/', talking)],
  [20, from('https://m.facebook.com/', talking)],
  [14, from('https://t.co/Zk3lamp', talking)],
  [12, from('https://www.linkedin.com/', talking)],
  [16, from('https://www.youtube.com/', talking)],
  [18, from('https://www.pinterest.com/', talking)],
  [15, from('https://news.ycombinator.com/', talking)],
  [11, from('https://light.design.example/best-desk-lamps', talking)],
  [8, from('https://slowhome.example/links', talking)],
  [6, from('https://forum.makers.example/t/brass', talking)],
]

/** Start and end as shares of the year: 0 is its first day, 1 is now. */
export interface Campaign {
  readonly begins: number
  readonly ends: number
  /** Share of the day's visits while it runs. */
  readonly share: number
  readonly origin: Origin
}

const letter = (name: string) =>
  from(
    '',
    [
      [6, 'letter'],
      [3, 'product'],
      [1, 'offer'],
    ],
    `utm_source=letter&utm_medium=email&utm_campaign=${name}`,
  )

export const campaigns: readonly Campaign[] = [
  {
    begins: 0,
    ends: 1,
    share: 0.07,
    origin: from('https://www.google.com/', buying, 'utm_source=google&utm_medium=cpc&utm_campaign=brand&gclid=demo'),
  },
  {
    begins: 0.06,
    ends: 0.16,
    share: 0.09,
    origin: from(
      'https://m.facebook.com/',
      buying,
      'utm_source=facebook&utm_medium=paid_social&utm_campaign=winter-light&fbclid=demo',
    ),
  },
  { begins: 0.2, ends: 0.21, share: 0.3, origin: letter('february') },
  {
    begins: 0.33,
    ends: 0.42,
    share: 0.12,
    origin: from('https://l.instagram.com/', buying, 'utm_source=instagram&utm_medium=paid_social&utm_campaign=spring'),
  },
  { begins: 0.45, ends: 0.46, share: 0.28, origin: letter('may') },
  {
    begins: 0.6,
    ends: 0.63,
    share: 0.16,
    origin: from(
      'https://light.design.example/',
      talking,
      'utm_source=light.design&utm_medium=affiliate&utm_campaign=partners',
    ),
  },
  { begins: 0.7, ends: 0.71, share: 0.25, origin: letter('september') },
  {
    begins: 0.8,
    ends: 0.97,
    share: 0.1,
    origin: from('https://www.bing.com/', buying, 'utm_source=bing&utm_medium=cpc&utm_campaign=autumn&msclkid=demo'),
  },
  { begins: 0.95, ends: 0.965, share: 0.32, origin: letter('november') },
]

export interface Region {
  /** First address and prefix length of blocks that providers assign to homes and phones. */
  readonly blocks: readonly (readonly [string, number])[]
  readonly languages: Weighted<string>
  /** Hours to add to UTC for the local time of day. */
  readonly offset: number
  readonly currency: string
}

const region = (blocks: string, languages: Weighted<string>, offset: number, currency: string): Region => ({
  blocks: blocks.split(' ').map((text) => [text.split('/')[0]!, Number(text.split('/')[1])] as const),
  languages,
  offset,
  currency,
})

const english = 'en-US,en;q=0.9'

export const regions: Weighted<Region> = [
  [
    260,
    region(
      '73.0.0.0/10 24.0.0.0/12 98.192.0.0/11 71.160.0.0/12 98.0.0.0/11 107.192.0.0/12',
      [
        [9, english],
        [1, 'es-US,es;q=0.9,en;q=0.7'],
      ],
      -6,
      'USD',
    ),
  ],
  [110, region('86.128.0.0/11 81.128.0.0/12 82.0.0.0/12 90.192.0.0/12', [[1, 'en-GB,en;q=0.9']], 0, 'GBP')],
  [
    120,
    region(
      '79.192.0.0/11 87.128.0.0/11 91.0.0.0/11 84.128.0.0/11',
      [
        [8, 'de-DE,de;q=0.9,en;q=0.7'],
        [1, english],
      ],
      1,
      'EUR',
    ),
  ],
  [70, region('90.0.0.0/11 86.192.0.0/11 82.64.0.0/14', [[1, 'fr-FR,fr;q=0.9,en;q=0.6']], 1, 'EUR')],
  [
    46,
    region(
      '77.160.0.0/12 84.84.0.0/14 86.80.0.0/13',
      [
        [4, 'nl-NL,nl;q=0.9,en;q=0.8'],
        [1, 'en-GB,en;q=0.9'],
      ],
      1,
      'EUR',
    ),
  ],
  [40, region('88.0.0.0/12 83.32.0.0/12', [[1, 'es-ES,es;q=0.9']], 1, 'EUR')],
  [40, region('79.0.0.0/11 87.0.0.0/12', [[1, 'it-IT,it;q=0.9,en;q=0.5']], 1, 'EUR')],
  [30, region('83.0.0.0/12 79.184.0.0/14', [[1, 'pl-PL,pl;q=0.9,en;q=0.6']], 1, 'PLN')],
  [26, region('78.64.0.0/13 90.224.0.0/12', [[1, 'sv-SE,sv;q=0.9,en;q=0.8']], 1, 'SEK')],
  [16, region('84.208.0.0/14 85.164.0.0/15', [[1, 'nb-NO,nb;q=0.9,en;q=0.8']], 1, 'NOK')],
  [16, region('87.48.0.0/13 80.160.0.0/13', [[1, 'da-DK,da;q=0.9,en;q=0.8']], 1, 'DKK')],
  [
    22,
    region(
      '178.192.0.0/13 83.76.0.0/14',
      [
        [3, 'de-CH,de;q=0.9'],
        [1, 'fr-CH,fr;q=0.9'],
      ],
      1,
      'CHF',
    ),
  ],
  [
    44,
    region(
      '70.48.0.0/13 99.224.0.0/12 24.200.0.0/14',
      [
        [4, 'en-CA,en;q=0.9'],
        [1, 'fr-CA,fr;q=0.9,en;q=0.7'],
      ],
      -5,
      'CAD',
    ),
  ],
  [36, region('101.160.0.0/12 58.160.0.0/13', [[1, 'en-AU,en;q=0.9']], 10, 'AUD')],
  [50, region('114.144.0.0/13 153.128.0.0/11 126.0.0.0/10', [[1, 'ja,en-US;q=0.7']], 9, 'JPY')],
  [34, region('177.32.0.0/12 189.32.0.0/12', [[1, 'pt-BR,pt;q=0.9,en;q=0.5']], -3, 'BRL')],
  [
    48,
    region(
      '117.192.0.0/11 49.32.0.0/12 106.192.0.0/11',
      [
        [5, 'en-IN,en;q=0.9'],
        [2, 'hi-IN,hi;q=0.9,en;q=0.7'],
      ],
      5,
      'INR',
    ),
  ],
  [20, region('187.128.0.0/11', [[1, 'es-MX,es;q=0.9']], -6, 'MXN')],
  [22, region('175.192.0.0/11 121.128.0.0/11', [[1, 'ko-KR,ko;q=0.9,en;q=0.5']], 9, 'KRW')],
  [14, region('88.224.0.0/12 78.160.0.0/12', [[1, 'tr-TR,tr;q=0.9']], 3, 'TRY')],
]

export interface Screen {
  readonly agent: string
  readonly width: number
  readonly height: number
}

const chrome = (platform: string, version: number, mobile = '') =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0${mobile} Safari/537.36`
const iphone = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version.replace('.', '_')} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`
const screen = (width: number, height: number, agent: string): Screen => ({ agent, width, height })

export const desktops: Weighted<Screen> = [
  [30, screen(1920, 1080, chrome('Windows NT 10.0; Win64; x64', 142))],
  [14, screen(1536, 864, chrome('Windows NT 10.0; Win64; x64', 141))],
  [14, screen(1440, 900, chrome('Macintosh; Intel Mac OS X 10_15_7', 142))],
  [
    13,
    screen(
      1512,
      982,
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    ),
  ],
  [10, screen(1920, 1080, `${chrome('Windows NT 10.0; Win64; x64', 142)} Edg/142.0.0.0`)],
  [8, screen(1680, 1050, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0')],
  [4, screen(1920, 1200, 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0')],
  [3, screen(2560, 1440, chrome('X11; Linux x86_64', 142))],
  [2, screen(1366, 768, chrome('X11; CrOS x86_64 14541.0.0', 140))],
  [2, screen(1920, 1080, `${chrome('Windows NT 10.0; Win64; x64', 141)} OPR/125.0.0.0`)],
]

export const phones: Weighted<Screen> = [
  [30, screen(393, 852, iphone('18.6'))],
  [12, screen(390, 844, iphone('17.7'))],
  [6, screen(430, 932, iphone('26.0'))],
  [24, screen(412, 915, chrome('Linux; Android 10; K', 142, ' Mobile'))],
  [12, screen(360, 800, chrome('Linux; Android 10; K', 141, ' Mobile'))],
  [
    6,
    screen(
      384,
      832,
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    ),
  ],
  [3, screen(412, 915, 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0')],
  [
    4,
    screen(
      820,
      1180,
      'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    ),
  ],
]

export interface Robot {
  readonly agent: string
  readonly block: readonly [string, number]
}

export const robots: Weighted<Robot> = [
  [
    30,
    { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', block: ['66.249.64.0', 19] },
  ],
  [
    16,
    {
      agent:
        'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
      block: ['157.55.39.0', 24],
    },
  ],
  [
    14,
    {
      agent: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      block: ['20.171.206.0', 24],
    },
  ],
  [10, { agent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', block: ['54.36.148.0', 24] }],
  [8, { agent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)', block: ['3.16.0.0', 14] }],
  [
    6,
    {
      agent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
      block: ['3.64.0.0', 12],
    },
  ],
  [5, { agent: 'python-requests/2.32.3', block: ['167.99.0.0', 16] }],
  [4, { agent: 'curl/8.5.0', block: ['95.216.0.0', 16] }],
]

/** Share of a day's visits in each local hour. */
export const hourShape = [12, 8, 6, 5, 6, 10, 20, 34, 48, 58, 62, 60, 58, 60, 60, 57, 54, 52, 55, 60, 66, 62, 44, 24]

/** Sunday first: people shop for lamps in the evening of working days and on Sundays. */
export const weekdayShape = [0.94, 1.08, 1.1, 1.08, 1.05, 0.98, 0.77]
