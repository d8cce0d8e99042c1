// Contacts over real records, with a stand-in for the facts where those are not the point: several nodes, one
// settable clock.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import type { Contact } from '../../server/contacts/contact-model.ts'
import type { ContactDeps } from '../../server/contacts/contacts.ts'
import type { EraseDeps } from '../../server/contacts/erase.ts'
import type { ListDeps } from '../../server/contact-lists/contact-lists.ts'
import { openKeys } from '../../server/kernel/keys.ts'
import { identifyContact, type Identification } from '../../server/identify/identify.ts'
import { type Forgetting, openForgetting } from '../../server/deliveries/forget.ts'
import { dayText } from '../../server/kernel/days.ts'
import type { SessionRef } from '../../server/kernel/ids.ts'
import { noTriggers } from '../../server/kernel/triggers.ts'
import { createProperty } from '../../server/properties/properties.ts'
import type { Facts } from '../../server/stores/facts.ts'
import type { Records, RecordsOptions } from '../../server/stores/records.ts'
import type { EventRow } from '../../server/stores/tables.ts'
import { type Home, openMigrated, openNode } from './records.ts'

/** 10 November 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 10, 12)
const DAY = Math.floor(NOON / 86_400_000)

export interface FakeSession {
  entryMs: number
  lastMs: number
}

export interface FakeFacts {
  readonly facts: Facts
  /** By `day/hash`; one that is not here is gone. */
  readonly sessions: Map<string, FakeSession>
  readonly events: Partial<EventRow>[]
  /** What the next appends throw. */
  failure: Error | undefined
}

const textOf = ({ day, hash }: SessionRef): string => `${dayText(day)}/${hash}`

export function openFakeFacts(): FakeFacts {
  const sessions = new Map<string, FakeSession>()
  const events: Partial<EventRow>[] = []
  const fake: FakeFacts = { facts: undefined as unknown as Facts, sessions, events, failure: undefined }
  const append = async (rows: readonly Partial<EventRow>[]): Promise<void> => {
    if (fake.failure) throw fake.failure
    events.push(...rows)
  }
  const rowsOf = (params: { days: string[]; sessions: bigint[] }) =>
    params.days.flatMap((day) =>
      params.sessions.flatMap((hash) => {
        const session = sessions.get(`${day}/${hash}`)
        const times = session && { entry_ms: String(session.entryMs), last_ms: String(session.lastMs) }
        return times ? [{ day, session: String(hash), ...times }] : []
      }),
    )
  const facts = {
    lookup: async (_name: string, _sql: string, params: { days: string[]; sessions: bigint[] }) => rowsOf(params),
    query: async (_name: string, _sql: string, params: { days: string[]; sessions: bigint[] }) => rowsOf(params),
    hasMarks: async () => false,
    append: async (_table: string, row: Partial<EventRow>) => append([row]),
    appendAll: async (_table: string, rows: readonly Partial<EventRow>[]) => append(rows),
  }
  return Object.assign(fake, { facts: facts as unknown as Facts })
}

export interface ContactNode extends ContactDeps, EraseDeps, ListDeps, Pick<Forgetting, 'forgetSubmissions'> {
  /** The same property on another connection. */
  readonly propertyId: string
}

export interface ContactWorld {
  readonly node: ContactNode
  readonly options: RecordsOptions
  readonly clock: { ms: number }
  readonly fake: FakeFacts
  readonly propertyId: string
  /** One more connection to the same records. */
  another(): Promise<ContactNode>
  addProperty(): Promise<string>
  /** A session of the day of NOON, or of that many days before, which began at its noon. */
  session(number: number, daysBefore?: number): SessionRef
  /** By the owner's server, of `node`'s property. */
  identify(identification: Identification, session?: SessionRef): Promise<Contact>
}

export async function openContacts(t: TestContext, home: Home): Promise<ContactWorld> {
  const { records, options } = await openMigrated(t, home)
  const clock = { ms: NOON }
  const fake = openFakeFacts()
  const log = pino({ level: 'silent' })
  const depsOn = (handle: Records): ContactDeps & EraseDeps & ListDeps & Forgetting => ({
    config: { smtp: null, mailFrom: null, baseUrl: 'https://footfall.example' },
    keys: openKeys('of tests, and long enough'),
    records: handle,
    facts: fake.facts,
    now: () => clock.ms,
    randomBytes,
    log,
    ...openForgetting({ now: () => clock.ms }),
    triggers: noTriggers,
  })
  const deps = depsOn(records)
  const draft = { name: 'Site', domains: [], default_period: null, plan: 'paid' } as const
  const addProperty = async (): Promise<string> => (await createProperty(deps, { ...draft, domains: [] })).id
  const propertyId = await addProperty()
  return {
    node: { ...deps, propertyId },
    options,
    clock,
    fake,
    propertyId,
    another: async () => ({ ...depsOn(await openNode(t, options)), propertyId }),
    addProperty,
    session: (number, daysBefore = 0) => {
      const session = { day: DAY - daysBefore, hash: BigInt(number) }
      const entryMs = NOON - daysBefore * 86_400_000
      if (!fake.sessions.has(textOf(session))) fake.sessions.set(textOf(session), { entryMs, lastMs: entryMs })
      return session
    },
    identify: async (identification, session) =>
      (await identifyContact(deps, propertyId, { by: 'token', identification, session })).contact,
  }
}
