// Deliveries over real records, sent by one node or several through the production client to real HTTPS
// endpoints; bodies are made up, since what is told is not the point here. The clock stands still until it is
// moved.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import type { Body } from '../../server/deliveries/body.ts'
import type { Client } from '../../server/deliveries/attempt.ts'
import { laneOf } from '../../server/automations/outbox.ts'
import { type DeliveryRow, insertDeliveries, type NewDelivery } from '../../server/deliveries/queue-records.ts'
import { newSecret } from '../../server/automations/secrets.ts'
import type { Ending } from '../../server/deliveries/delivery-model.ts'
import { DeliveryEngine, type EngineOptions } from '../../server/deliveries/engine.ts'
import type { Disabled } from '../../server/deliveries/state-records.ts'
import { readConfig } from '../../server/config.ts'
import { type Keys, openKeys } from '../../server/kernel/keys.ts'
import { openUlids } from '../../server/kernel/ulid.ts'
import { createProperty } from '../../server/properties/properties.ts'
import type { Records, RecordsOptions } from '../../server/stores/records.ts'
import { openWebhookClient } from '../../server/webhooks/client.ts'
import { PATIENCE_MS } from './patience.ts'
import { type Home, openMigrated, openNode } from './records.ts'

/** 10 November 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 10, 12)

export interface NodeOptions extends EngineOptions {
  readonly records?: Records
  readonly makeBody?: (row: DeliveryRow) => Promise<Body>
  /** What is called instead of real endpoints. */
  readonly client?: Client
}

export interface Node extends Pick<DeliveryEngine, 'wake' | 'close'> {
  readonly counted: Ending['kind'][]
  readonly disabled: Disabled[]
}

export interface DeliveryWorld {
  readonly records: Records
  readonly options: RecordsOptions
  readonly clock: { ms: number }
  readonly propertyId: string
  /** Active, without failures. */
  addAutomation(row?: {
    is_active?: number
    failures?: number
    property_id?: string
  }): Promise<{ id: string; secret: string }>
  /** One more. @returns its id. */
  addProperty(): Promise<string>
  readonly keys: Keys
  /** Due now, to that URL, of the highest priority, unless the row says otherwise. @returns their ids. */
  put(automationId: string, url: string, count?: number, row?: Partial<NewDelivery>): Promise<string[]>
  /** A node that sends; closed at the end of the test. */
  node(ca: string, options?: NodeOptions): Node
  another(): Promise<Records>
  delivery(id: string): Promise<DeliveryRow>
  /** How many there are in each state. */
  states(): Promise<Record<string, number>>
}

const POLL_MS = 10
/** Until it holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  while (!(await holds())) {
    if (performance.now() > endMs)
      throw new Error(`after ${PATIENCE_MS / 1000} seconds it does not hold: ${String(holds)}`)
    await pause(POLL_MS)
  }
}

export async function openDeliveries(t: TestContext, home: Home, retryDelays = '120,900'): Promise<DeliveryWorld> {
  const { records, options } = await openMigrated(t, home)
  const clock = { ms: NOON }
  const now = (): number => clock.ms
  const config = readConfig({ DATA_DIR: options.dataDir, WEBHOOK_RETRY_DELAYS: retryDelays })
  const keys = openKeys('a secret of at least thirty-two characters')
  const nextId = openUlids({ now, randomBytes })
  const draft = { name: 'Site', domains: [], default_period: null, plan: 'paid' } as const
  const addProperty = async (): Promise<string> =>
    (await createProperty({ records, now, randomBytes }, { ...draft, domains: [] })).id
  const propertyId = await addProperty()
  let automations = 0

  return {
    records,
    options,
    clock,
    propertyId,
    keys,
    addProperty,
    async addAutomation(row = {}) {
      const id = `au_${String(++automations).padStart(20, '0')}`
      const { signingSecret, sealed } = newSecret({ keys, randomBytes }, id)
      await records
        .insertInto('automations')
        .values({
          id,
          property_id: propertyId,
          name: null,
          event_type: 'event',
          event_value: null,
          conversion_id: null,
          actions: '[]',
          is_active: 1,
          disabled_reason: null,
          disabled_ts: null,
          failures: 0,
          secret: sealed,
          previous_secret: null,
          previous_until_ts: null,
          created_ts: 0,
          updated_ts: 0,
          ...row,
        })
        .execute()
      return { id, secret: signingSecret }
    },
    async put(automationId, url, count = 1, row = {}) {
      const rows = Array.from({ length: count }, () => ({
        id: nextId(),
        property_id: propertyId,
        automation_id: automationId,
        action_id: 'wa_1',
        url,
        lane: laneOf(url),
        payload: 'envelope' as const,
        priority: 0,
        event_type: 'event',
        event_value: null,
        event: '{}',
        conversion_id: null,
        session_day: null,
        session: null,
        submission_id: null,
        contact_id: null,
        is_test: 0,
        state: 'pending' as const,
        attempts: 0,
        max_attempts: config.webhookRetryDelays.length + 1,
        next_attempt_ms: clock.ms,
        claim: null,
        created_ms: clock.ms,
        finished_ms: null,
        body: null,
        ...row,
      }))
      await insertDeliveries(records, rows)
      return rows.map(({ id }) => id)
    },
    node(ca, { records: own = records, makeBody, client: other, ...engineOptions } = {}) {
      const real = openWebhookClient({ allow: ['127.0.0.0/8'], ca })
      const client = other ?? real
      const counted: Ending['kind'][] = []
      const disabled: Disabled[] = []
      const engine = new DeliveryEngine(
        {
          config,
          records: own,
          keys,
          log: pino({ level: 'silent' }),
          now,
          makeBody: makeBody ?? (async ({ id }) => ({ body: JSON.stringify({ id }) })),
          disabled: (automation) => disabled.push(automation),
          counted: (kind) => counted.push(kind),
        },
        client,
        engineOptions,
      )
      let closing: Promise<void> | undefined
      const close = (): Promise<void> => (closing ??= engine.close().then(() => real.close()))
      t.after(close)
      return { wake: () => engine.wake(), close, counted, disabled }
    },
    another: () => openNode(t, options),
    delivery: (id) => records.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async states() {
      const rows = await records
        .selectFrom('deliveries')
        .select((of) => ['state', of.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute()
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
  }
}
