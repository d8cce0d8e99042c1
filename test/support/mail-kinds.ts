// Every kind of email there is, sent by what sends it, in a property whose names are hostile.
import assert from 'node:assert/strict'
import { automationLetter, silenceLetter } from '../../server/notices/letters.ts'
import { tellSubmissions } from '../../server/form-mail/telling.ts'
import { openWatch } from '../../server/alerts/alerts.ts'
import { hourLetter } from '../../server/alerts/letters.ts'
import { readEmail } from '../../server/kernel/email.ts'
import { enqueueMail, type Letter } from '../../server/mail/mail.ts'
import type { MailKind } from '../../server/mail/mail-model.ts'
import { reportLetter } from '../../server/reports/letters.ts'
import { addPerson, type Person, signIn } from './accounts.ts'
import { flowOf, type Form } from './form-flow.ts'
import { marker } from './hostile-texts.ts'
import type { Footfall } from './server.ts'

const HOUR_MS = 3_600_000

/** Longer than a phone is wide, and HTML to whoever takes it for that. */
export const worstName = `${marker}${'Donaudampfschifffahrt'.repeat(3)}`

export interface MailWorld {
  readonly footfall: Footfall
  readonly owner: Person
}

/** What a kind of email has to have besides a text. */
export interface ExpectedMail {
  readonly subject: RegExp
  /** Where its button leads, under the URL of the service; undefined: it has none. */
  readonly leadsTo?: RegExp
  readonly canUnsubscribe?: boolean
  readonly language?: string
  /** Causes it, to `{kind}@example.net`. */
  readonly send: (world: MailWorld, to: string) => Promise<void>
}

async function call({ footfall }: MailWorld, path: string, body: object) {
  const { status, json, text } = await footfall.call('POST', path, { body })
  assert.equal(status, 200, text)
  return json.data
}

const at = ({ footfall }: MailWorld, rest: string): string => `/manage/properties/${footfall.property.id}${rest}`

/** As what finds it would send it: finding takes weeks of visits. */
async function enqueue({ footfall }: MailWorld, kind: MailKind, to: string, letter: Letter): Promise<void> {
  const { context, property, url } = footfall
  const unsubscribeUrl = `${url}/unsubscribe/sn_0`
  const draft = { kind, to: readEmail(to)!, propertyId: property.id, letter: { ...letter, unsubscribeUrl } }
  assert.equal(await enqueueMail(context, context.records, draft), true)
}

const aboutProperty = ({ footfall }: MailWorld) => ({ id: footfall.property.id, name: worstName, timezone: 'UTC' })

/** A form that everything hostile is written into. @param times how often it is sent. */
async function fillForm(world: MailWorld, settings: object, times: number): Promise<void> {
  const flow = flowOf(world.footfall)
  const form: Form = await flow.create(world.footfall.property.id, { name: worstName, language: 'de' })
  await call(world, at(world, `/forms/${form.id}/mail`), settings)
  for (let n = 0; n < times; n++) {
    const answers = { name: `${worstName}\r\nBcc: all`, email: `confirmation@example.net` }
    const { text, json } = await flow.send(await flow.open(form), answers)
    assert.equal(json.validated, true, text)
  }
  const { context } = world.footfall
  await context.records
    .updateTable('submissions')
    .set({ verdict: 'clean', notice: 'due' })
    .where('form_id', '=', form.id)
    .execute()
  await tellSubmissions(context)
}

const count = { label: worstName, count: 1_234_567 }

/** One of a kind that is missing does not compile. */
export const mailKinds: Readonly<Record<MailKind, ExpectedMail>> = {
  test: {
    subject: /^Test email/,
    async send(world, to) {
      await call(world, '/manage/mail/test', { to })
    },
  },
  invitation: {
    subject: /^Invitation to/,
    leadsTo: /^\/dashboard\/invitation#\w+$/,
    async send(world, email) {
      await call(world, at(world, '/members'), { email, role: 'viewer' })
    },
  },
  reset: {
    subject: /new password/,
    leadsTo: /^\/dashboard\/invitation#\w+$/,
    async send(world, email) {
      await addPerson(world.footfall, { email })
      await call(world, '/manage/session/forgotten', { email })
    },
  },
  new_sign_in: {
    subject: /New sign-in/,
    leadsTo: /^\/dashboard\/account$/,
    async send({ footfall }, email) {
      await addPerson(footfall, { email })
      const headers = {
        'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${marker}`,
      }
      assert.equal((await signIn(footfall, email, { headers })).status, 200)
    },
  },
  submission: {
    subject: /^New submission/,
    leadsTo: /\/forms\/\w+\?submission=\w+$/,
    canUnsubscribe: true,
    send: (world, to) => fillForm(world, { recipients: [to] }, 1),
  },
  digest: {
    subject: /^2 more submissions/,
    leadsTo: /\/forms\/\w+$/,
    canUnsubscribe: true,
    async send(world, to) {
      await fillForm(world, { recipients: [to], most_an_hour: 0 }, 2)
      world.footfall.clock.advance(HOUR_MS)
      await tellSubmissions(world.footfall.context)
    },
  },
  confirmation: {
    subject: /^Danke/,
    language: 'de',
    send: (world) =>
      fillForm(world, { confirmation: { is_on: true, subject: 'Danke %name%', text: `%name% ${worstName}` } }, 1),
  },
  automation_off: {
    subject: /^Automation turned off/,
    leadsTo: /\/automations\/au_0$/,
    canUnsubscribe: true,
    send(world, to) {
      const { config } = world.footfall.context
      const off = { id: 'au_0', name: worstName, disabled_reason: worstName, disabled_ts: 1 }
      return enqueue(
        world,
        'automation_off',
        to,
        automationLetter(config, aboutProperty(world), { ...off, event_type: 'event' }),
      )
    },
  },
  tracking_stopped: {
    subject: /^Tracking may have stopped/,
    leadsTo: /\/settings$/,
    canUnsubscribe: true,
    send(world, to) {
      const { config } = world.footfall.context
      const silence = { lastMs: 1, before: [1_234_567, 30] }
      return enqueue(world, 'tracking_stopped', to, silenceLetter(config, aboutProperty(world), silence))
    },
  },
  list_confirmation: {
    subject: /Donaudampf/,
    leadsTo: /^\/lists\/confirm\/\w+$/,
    async send(world, email) {
      const name = worstName.slice(0, 60)
      await call(world, at(world, '/contact-lists'), { name, is_confirmed: true })
      const { contact } = await call(world, at(world, '/contacts'), { email })
      await call(world, at(world, `/contacts/${contact.id}/labels`), { lists: [name] })
    },
  },
  report: {
    subject: /your month/,
    leadsTo: /\?period=last_month$/,
    canUnsubscribe: true,
    send(world, to) {
      const metrics = [{ label: 'Sessions', value: '1,234,567', change: '+1,000%' }]
      const lists = { sources: [count], pages: [count, count], goals: [count] }
      const report = {
        kind: 'monthly',
        days: 'October',
        sentence: worstName,
        metrics,
        ...lists,
        isEmpty: false,
      } as const
      const { config } = world.footfall.context
      return enqueue(world, 'report', to, reportLetter(config, aboutProperty(world), report))
    },
  },
  alert: {
    subject: /visitors right now/,
    leadsTo: /\/live$/,
    canUnsubscribe: true,
    async send(world, to) {
      const { footfall } = world
      await call(world, at(world, '/alerts'), { recipients: [to], live_visitors: 1 })
      for (const address of ['198.51.100.1', '198.51.100.2'])
        await footfall.track.load({ address, page: 'https://example.com/' })
      assert.equal(await openWatch(footfall.context)(), 1)
    },
  },
}

export const OTHER_ALERT = 'alert.hour@example.net'

/** Kinds that have more than one letter: the others of them. */
export async function sendOtherLetters(world: MailWorld): Promise<void> {
  const { config } = world.footfall.context
  const finding = { what: 'conversions', count: 0, usual: 1_234_567 } as const
  const letter = hourLetter(config, aboutProperty(world), [finding, { ...finding, what: 'sessions' }], 1)
  await enqueue(world, 'alert', OTHER_ALERT, letter)
}
