// The letters to owners.
import { nameOf } from '../automations/automations.ts'
import { type Config, dashboardUrl } from '../config.ts'
import { button, facts, type Letter, momentIn, text } from '../mail/mail.ts'
import type { Property } from '../properties/properties.ts'
import type { Silence } from './silence.ts'

type About = Pick<Property, 'id' | 'name' | 'timezone'>

const pageUrl = (config: Config, { id }: About, rest: string): string =>
  `${dashboardUrl(config)}/properties/${id}${rest}`

const reasonOf = ({ name }: About): string => `You receive this email because you own ${name} in Footfall.`

export function automationLetter(
  config: Config,
  property: About,
  automation: Parameters<typeof nameOf>[0] & {
    readonly id: string
    readonly disabled_reason: string | null
    readonly disabled_ts: number | null
  },
): Letter {
  const name = nameOf(automation)
  return {
    subject: `Automation turned off: ${name}`,
    title: 'An automation was turned off',
    blocks: [
      text(
        `${name} on ${property.name} failed too often and was turned off. Undelivered messages are kept until you turn it on again.`,
      ),
      facts([
        ['Since', momentIn(property.timezone, (automation.disabled_ts ?? 0) * 1000)],
        ['Reason', automation.disabled_reason ?? 'unknown'],
      ]),
      button('Open the automation', pageUrl(config, property, `/automations/${automation.id}`)),
    ],
    reason: reasonOf(property),
  }
}

export function silenceLetter(config: Config, property: About, { lastMs, before }: Silence): Letter {
  return {
    subject: `Tracking may have stopped: ${property.name}`,
    title: 'Tracking may have stopped',
    blocks: [
      text(
        `No page views have arrived from ${property.name} since ${momentIn(property.timezone, lastMs)} (${property.timezone}).`,
      ),
      facts([
        ['Same hours, one week earlier', `${before[0]} page views`],
        ['Two weeks earlier', `${before[1]} page views`],
      ]),
      text(
        'Is the website up, and is the tracking code still on its pages? We’ll write again only after visits have resumed.',
      ),
      button('Check tracking', pageUrl(config, property, '/settings')),
    ],
    reason: reasonOf(property),
  }
}
