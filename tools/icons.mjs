// Writes server/icons/flags.json and server/icons/logos.json from packages that are no dependencies: of
// thousands of files some hundred are shipped. To renew them:
//   cd /tmp/icons && npm pack country-flag-icons simple-icons
//   for file in *.tgz; do mkdir -p "${file%-*}" && tar xzf "$file" -C "${file%-*}"; done
//   node tools/icons.mjs /tmp/icons
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
if (!folder) throw new Error('Usage: node tools/icons.mjs <folder with country-flag-icons and simple-icons>')
const own = new URL('../server/icons/', import.meta.url).pathname

/** By the names that sources, browsers and systems have here, in lower case; the others are called alike. */
const slugs = {
  browsers: {
    chrome: 'googlechrome',
    firefox: 'firefoxbrowser',
    safari: 'safari',
    opera: 'opera',
    brave: 'brave',
    vivaldi: 'vivaldi',
    'samsung internet': 'samsung',
    duckduckgo: 'duckduckgo',
    'google app': 'google',
    facebook: 'facebook',
    instagram: 'instagram',
    tiktok: 'tiktok',
    snapchat: 'snapchat',
    wechat: 'wechat',
    whatsapp: 'whatsapp',
    line: 'line',
    'tor browser': 'torbrowser',
  },
  systems: {
    android: 'android',
    ios: 'ios',
    macos: 'macos',
    linux: 'linux',
    ubuntu: 'ubuntu',
    debian: 'debian',
    fedora: 'fedora',
    mint: 'linuxmint',
    arch: 'archlinux',
    'chrome os': 'googlechrome',
    harmonyos: 'harmonyos',
  },
  sources: Object.fromEntries(
    [
      'google duckduckgo ecosia startpage qwant kagi baidu naver claude perplexity deepseek facebook messenger instagram threads',
      'whatsapp x reddit pinterest tiktok snapchat bluesky mastodon lemmy telegram discord signal lobsters quora tumblr medium',
      'substack vk wechat line viber xing youtube vimeo twitch dailymotion ebay etsy aliexpress gmail github gitlab wikipedia',
      'yelp tripadvisor meetup dribbble behance mailchimp hashnode',
    ]
      .join(' ')
      .split(' ')
      .map((name) => [name, name])
      .concat([
        ['brave search', 'brave'],
        ['gemini', 'googlegemini'],
        ['github copilot', 'githubcopilot'],
        ['mistral', 'mistralai'],
        ['hacker news', 'ycombinator'],
        ['product hunt', 'producthunt'],
        ['stack overflow', 'stackoverflow'],
        ['stack exchange', 'stackexchange'],
        ['weibo', 'sinaweibo'],
        ['kakaotalk', 'kakaotalk'],
        ['proton mail', 'protonmail'],
        ['google docs', 'googledocs'],
        ['google news', 'googlenews'],
        ['dev', 'devdotto'],
      ]),
  ),
}

const simple = join(folder, 'simple-icons', 'package')
const titles = JSON.parse(readFileSync(join(simple, 'data', 'simple-icons.json'), 'utf8'))
const plain = (text) =>
  text
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replaceAll('.', 'dot')
    .replace(/[^a-z0-9]/g, '')
const colours = new Map(titles.map(({ slug, title, hex }) => [slug ?? plain(title), hex]))

/** The drawing and the colour of a logo, each once, by its slug. */
function logoOf(slug) {
  const svg = readFileSync(join(simple, 'icons', `${slug}.svg`), 'utf8')
  const [, path] = /<path d="([^"]+)"\/>/.exec(svg) ?? []
  const hex = colours.get(slug)
  if (!path || !hex) throw new Error(`simple-icons has no ${slug}`)
  return { hex, path }
}

const named = (names) => Object.fromEntries(Object.entries(names).filter(([, slug]) => slug !== ''))
const used = [...new Set(Object.values(slugs).flatMap((names) => Object.values(named(names))))].sort((a, b) =>
  a < b ? -1 : 1,
)
const logos = {
  names: Object.fromEntries(Object.entries(slugs).map(([kind, names]) => [kind, named(names)])),
  logos: Object.fromEntries(used.map((slug) => [slug, logoOf(slug)])),
}

const flagFolder = join(folder, 'country-flag-icons', 'package', '3x2')
const flags = Object.fromEntries(
  readdirSync(flagFolder)
    .filter((file) => /^[A-Z]{2}\.svg$/.test(file))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((file) => [file.slice(0, 2).toLowerCase(), readFileSync(join(flagFolder, file), 'utf8').trim()]),
)

for (const [name, content] of Object.entries({ logos, flags }))
  writeFileSync(join(own, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`)
console.log(`${Object.keys(flags).length} flags, ${used.length} logos`)
