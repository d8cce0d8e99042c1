// Browser, operating system and device class of a user agent, refined by the browser's client hints. Names
// are the makers' own, without versions: Chrome, Safari, Samsung Internet, macOS, Chrome OS.
import { UAParser } from 'ua-parser-js'
import { lastUsed } from '../kernel/last-used.ts'
import { cleanText } from './text.ts'

export type Device = 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'wearable' | 'other'

export interface Agent {
  readonly browser: string
  readonly os: string
  readonly device: Device
}

/** The three client hints that browsers send by default, as in the headers. */
export interface AgentHints {
  /** Sec-CH-UA */
  readonly brands?: string | undefined
  /** Sec-CH-UA-Mobile */
  readonly mobile?: string | undefined
  /** Sec-CH-UA-Platform */
  readonly platform?: string | undefined
}

/**
 * Longest agent parsed: the parser's regular expressions are slow on long input, and no browser comes near.
 */
export const MAX_AGENT_LENGTH = 1024
/** A hint header has under 200 characters. */
const MAX_HINT_LENGTH = 512
/** About 2 MB when full; a busy site sees some thousand agents a day. */
const CACHED_AGENTS = 5000
const MAX_NAME_LENGTH = 64

const unknownAgent: Agent = { browser: '', os: '', device: 'other' }

/** The parser's names that users would not recognise, in lower case. */
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

/** Brands of Sec-CH-UA that identify a browser whose agent says Chrome, in lower case. */
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

const mobileSystems = /^(?:android|ios|harmonyos|kaios|windows phone|windows mobile|firefox os|blackberry)/i
const desktopSystems =
  /^(?:windows(?! phone| mobile)|macos|linux|chrome os|ubuntu|debian|fedora|mint|suse|arch|gentoo|centos|redhat|freebsd|openbsd|netbsd|solaris|unix|gnu|manjaro|elementary|zorin|raspbian|deepin)/i

/** A parser with its own bounded cache: a known agent takes a map look-up. */
export function openAgents(): (userAgent: string, hints?: AgentHints) => Agent {
  const cache = lastUsed<string, Agent>(CACHED_AGENTS)
  return (text, hints) => {
    const userAgent = text.slice(0, MAX_AGENT_LENGTH)
    const { brands, mobile, platform } = hints === undefined ? noHints : boundHints(hints)
    const key = brands || mobile || platform ? `${userAgent}\n${brands}\n${mobile}\n${platform}` : userAgent
    const known = cache.get(key)
    if (known) return known
    const agent = overlay(parse(userAgent), { brands, mobile, platform })
    cache.set(key, agent)
    return agent
  }
}

interface Hints {
  readonly brands: string
  readonly mobile: string
  readonly platform: string
}

const noHints: Hints = { brands: '', mobile: '', platform: '' }

function boundHints({ brands = '', mobile = '', platform = '' }: AgentHints): Hints {
  return {
    brands: brands.slice(0, MAX_HINT_LENGTH),
    mobile: mobile.slice(0, MAX_HINT_LENGTH),
    platform: platform.slice(0, MAX_HINT_LENGTH),
  }
}

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
  if (mobileSystems.test(os)) return 'mobile'
  return desktopSystems.test(os) ? 'desktop' : 'other'
}

function overlay(agent: Agent, { brands, mobile, platform }: Hints): Agent {
  const os = agent.os === '' ? named(platform.replaceAll('"', ''), osNames) : agent.os
  return {
    browser: brandOf(agent.browser, brands),
    os,
    device: deviceWithHint(agent.os === os ? agent.device : deviceOf(undefined, os), mobile),
  }
}

/** Tablets and televisions say ?0 like desktops; only ?1 can reveal something that the agent hides. */
function deviceWithHint(device: Device, mobile: string): Device {
  return mobile.trim() === '?1' && (device === 'desktop' || device === 'other') ? 'mobile' : device
}

/**
 * Brave, Vivaldi and others call themselves Chrome in the agent, and by their own name only in the brands.
 */
function brandOf(browser: string, brands: string): string {
  if (brands === '' || (browser !== 'Chrome' && browser !== 'Chromium')) return browser
  const named = [...brands.matchAll(/"([^"]{1,64})"\s*;\s*v=/g)].map((match) => match[1]!.toLowerCase())
  const known = named.find((brand) => Object.hasOwn(brandNames, brand))
  return known === undefined ? browser : brandNames[known]!
}
