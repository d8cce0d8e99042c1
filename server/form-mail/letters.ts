// The letters of a form to its owners: one submission, or how many there were in an hour.
import { type Config, dashboardUrl } from '../config.ts'
import type { Form } from '../forms/form-model.ts'
import { button, facts, type Letter, momentIn, text } from '../mail/mail.ts'
import type { Property } from '../properties/properties.ts'
import { joined } from '../submissions/csv.ts'
import type { ToldSubmission } from './records.ts'

export interface About {
  readonly config: Config
  readonly property: Pick<Property, 'id' | 'name' | 'timezone'>
  readonly form: Pick<Form, 'id' | 'name'>
}

const formUrl = ({ config, property, form }: About): string =>
  `${dashboardUrl(config)}/properties/${property.id}/forms/${form.id}`

const reasonOf = ({ property, form }: About): string =>
  `You get this email because somebody who runs ${property.name} entered your email address at the form ${form.name}.`

export function submissionLetter(about: About, { id, submitted_ms, answers }: ToldSubmission): Letter {
  const { property, form } = about
  return {
    subject: `New submission: ${form.name}`,
    title: 'New submission',
    blocks: [
      text(`${form.name} on ${property.name}, ${momentIn(property.timezone, submitted_ms)} (${property.timezone})`),
      facts(answers.map(({ label, value }) => [label, joined(value) || '–'])),
      button('Open the submission', `${formUrl(about)}?submission=${id}`),
    ],
    reason: reasonOf(about),
  }
}

/** @param count of those that were not told one by one. @param fromMs when the first of them was sent. */
export function digestLetter(about: About, count: number, fromMs: number): Letter {
  const { property, form } = about
  const words = count === 1 ? '1 more submission' : `${count} more submissions`
  return {
    subject: `${words}: ${form.name}`,
    title: words,
    blocks: [
      text(
        `Since ${momentIn(property.timezone, fromMs)} (${property.timezone}) the form ${form.name} on ${property.name} was sent more often than is told one by one. These were not mailed; all of them are in the list.`,
      ),
      button('Open the list', formUrl(about)),
    ],
    reason: reasonOf(about),
  }
}
