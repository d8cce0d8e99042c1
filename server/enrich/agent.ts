// Browser, operating system and device class of a user agent, with what the browser's client hints say on top.
// Names are the makers' own, without versions: Chrome, Safari, Samsung Internet, macOS, Chrome OS.
import { LRUCache } from 'lru-cache'
import { UAParser } from 'ua-parser-js'
import { cleanText } from './text.ts'

export type Device = 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'wearable' | 'other'

export interface Agent {
  readonly browser: string
  readonly os: string
  readonly device: Device
}

/** The three hints that browsers send unasked, as the headers hold them. */
export interface AgentHints {
  /** Sec-CH-UA */
  readonly brands?: string | undefined
  /** Sec-CH-UA-Mobile */
  readonly mobile?: string | undefined
  /** Sec-CH-UA-Platform */
  readonly platform?: string | undefined
}

/** Longest agent parsed: the parser's expressions take long on long input, and no browser comes near. */
export const MAX_AGENT_LENGTH = 1024
/** A hint header has under 200 characters. */
const MAX_HINT_LENGTH = 512
/** About 2 MB when full; a busy site sees some thousand agents a day. */
const CACHED_AGENTS = 5000
const MAX_NAME_LENGTH = 64

const unknownAgent: Agent = { browser: '', os: '', device: 'other' }

/** The parser's names that no user would recognise, in lower case. */
const browserNames: Readonly<Record<string, string>> = {
  'mobile safari': 'Safari',
  'mobile chrome': 'Chrome',
  'mobile firefox': 'Firefox',
  'chrome headless': 'Chrome',
  'samsung browser': 'Samsung Internet',
  ie: 'Internet Explorer',
  iemobile: 'Internet Explorer',
  'opera mobi': 'Opera',
  'opera touch': 'Opera',
  'opera tablet': 'Opera',
  ucbrowser: 'UC Browser',
  qqbrowser: 'QQ Browser',
  baidubrowser: 'Baidu',
  gsa: 'Google App',
  webkit: 'Safari',
}

const osNames: Readonly<Record<string, string>> = {
  'mac os': 'macOS',
  'chromium os': 'Chrome OS',
  'chrome os': 'Chrome OS',
  'windows phone': 'Windows Phone',
  'firefox os': 'Firefox OS',
}

/** Brands of Sec-CH-UA that name a browser whose agent says Chrome, in lower case. */
const brandNames: Readonly<Record<string, string>> = {
  brave: 'Brave',
  'microsoft edge': 'Edge',
  opera: 'Opera',
  'opera gx': 'Opera',
  vivaldi: 'Vivaldi',
  yandex: 'Yandex',
  yabrowser: 'Yandex',
  whale: 'Whale',
  'samsung internet': 'Samsung Internet',
  duckduckgo: 'DuckDuckGo',
  huaweibrowser: 'Huawei Browser',
}

const devices: Readonly<Record<string, Device>> = {
  mobile: 'mobile',
  tablet: 'tablet',
  smarttv: 'tv',
  console: 'console',
  wearable: 'wearable',
}

const desktopSystems =
  /^(?:windows(?! phone| mobile)|macos|linux|chrome os|ubuntu|debian|fedora|mint|suse|arch|gentoo|centos|redhat|freebsd|openbsd|netbsd|solaris|unix|gnu|manjaro|elementary|zorin|raspbian|deepin)/i

/** A parser with its own bounded memory: an agent met before takes a map look-up. */
export function openAgents(): (userAgent: string, hints?: AgentHints) => Agent {
  const cache = new LRUCache<string, Agent>({ max: CACHED_AGENTS })
  return (userAgent, hints = {}) => {
    const key = keyOf(userAgent, hints)
    const known = cache.get(key)
    if (known) return known
    const agent = overlay(parse(userAgent.slice(0, MAX_AGENT_LENGTH)), hints)
    cache.set(key, agent)
    return agent
  }
}

function keyOf(userAgent: string, { brands = '', mobile = '', platform = '' }: AgentHints): string {
  const hints = brands || mobile || platform ? `\n${hint(brands)}\n${hint(mobile)}\n${hint(platform)}` : ''
  return userAgent.slice(0, MAX_AGENT_LENGTH) + hints
}

const hint = (text: string): string => text.slice(0, MAX_HINT_LENGTH)

function parse(userAgent: string): Agent {
  if (userAgent.trim() === '') return unknownAgent
  const { browser, os, device } = new UAParser(userAgent).getResult()
  const osName = named(os.name, osNames)
  return { browser: named(browser.name, browserNames), os: osName, device: deviceOf(device.type, osName) }
}

function named(name: string | undefined, names: Readonly<Record<string, string>>): string {
  if (!name) return ''
  const key = name.toLowerCase()
  return Object.hasOwn(names, key) ? names[key]! : cleanText(name, MAX_NAME_LENGTH)
}

function deviceOf(type: string | undefined, os: string): Device {
  if (type) return devices[type] ?? 'other'
  return desktopSystems.test(os) ? 'desktop' : 'other'
}

function overlay(agent: Agent, hints: AgentHints): Agent {
  const browser = agent.browser === 'Chrome' || agent.browser === 'Chromium' ? brandOf(hints.brands) : undefined
  const os = agent.os === '' ? named(hints.platform && hint(hints.platform).replaceAll('"', ''), osNames) : agent.os
  const device = deviceWithHint(
    agent.device === 'other' && os !== agent.os ? deviceOf(undefined, os) : agent.device,
    hints.mobile,
  )
  return { browser: browser ?? agent.browser, os, device }
}

/** Tablets and televisions say ?0 as desktops do; only ?1 tells something that the agent may have hidden. */
function deviceWithHint(device: Device, mobile: string | undefined): Device {
  return mobile?.trim() === '?1' && (device === 'desktop' || device === 'other') ? 'mobile' : device
}

function brandOf(brands: string | undefined): string | undefined {
  if (!brands) return undefined
  const named = [...hint(brands).matchAll(/"([^"]{1,64})"\s*;\s*v=/g)].map((match) => match[1]!.toLowerCase())
  const known = named.find((brand) => Object.hasOwn(brandNames, brand))
  return known === undefined ? undefined : brandNames[known]
}
