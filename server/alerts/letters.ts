// An alert as a letter.
import { type Config, dashboardUrl } from '../config.ts'
import { button, facts, type Letter, momentIn, text } from '../mail/mail.ts'
import type { Property } from '../properties/properties.ts'
import type { Unusual } from './unusual.ts'

type About = Pick<Property, 'id' | 'name' | 'timezone'>

const shown = (count: number): string => count.toLocaleString('en')
const reasonOf = ({ name }: About): string =>
  `You get this email because somebody who runs ${name} entered your email address for its alerts.`
const overviewUrl = (config: Config, { id }: About, period: string): string =>
  `${dashboardUrl(config)}/properties/${id}?period=${period}`

export interface Finding extends Unusual {
  readonly what: 'sessions' | 'conversions'
}

const nouns = { sessions: 'Sessions', conversions: 'Conversions' } as const
const isMore = ({ count, usual }: Unusual): boolean => count > usual

/** @param atMs the beginning of the hour. */
export function hourLetter(
  config: Config,
  property: About,
  findings: readonly [Finding, ...Finding[]],
  atMs: number,
): Letter {
  const [first] = findings
  const noun = nouns[first.what]
  const title = isMore(first) ? `${noun} are far above usual` : `${noun} are far below usual`
  return {
    subject: `${property.name}: ${title.replace('are ', '')}`,
    title,
    blocks: [
      text(
        `In the hour from ${momentIn(property.timezone, atMs)} (${property.timezone}) on ${property.name}, compared with the same hour of the last weeks:`,
      ),
      facts(findings.map(({ what, count, usual }) => [nouns[what], `${shown(count)} (usually ${shown(usual)})`])),
      button('Open the overview', overviewUrl(config, property, 'today')),
    ],
    reason: reasonOf(property),
  }
}

export function liveLetter(
  config: Config,
  property: About,
  { live, limit }: { readonly live: number; readonly limit: number },
): Letter {
  return {
    subject: `${property.name}: ${shown(live)} visitors right now`,
    title: `${shown(live)} visitors right now`,
    blocks: [
      text(
        `${shown(live)} people were on ${property.name} in the last five minutes, more than the ${shown(limit)} you asked to be told about.`,
      ),
      button('Open the live view', `${dashboardUrl(config)}/properties/${property.id}/live`),
    ],
    reason: reasonOf(property),
  }
}
