// Accounts over real records, on one node or several, with one settable clock: only what they ask for of the
// whole service is there.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { type AccountDirectory, openAccountDirectory } from '../../server/accounts/sessions.ts'
import { setUp, setupUrl } from '../../server/accounts/setup.ts'
import { type Opened, signIn, type Visitor } from '../../server/accounts/sign-in.ts'
import { readConfig } from '../../server/config.ts'
import type { Context } from '../../server/context.ts'
import { openLimits } from '../../server/http/limits.ts'
import { openKeys } from '../../server/kernel/keys.ts'
import { createProperty } from '../../server/properties/properties.ts'
import type { Records } from '../../server/stores/records.ts'
import { PASSWORD } from './accounts.ts'
import { type Home, openMigrated, openNode } from './records.ts'
import { startFakeRedis } from './redis.ts'
import { cheapPasswords } from './server.ts'

export interface AccountWorld {
  /** Two of them, on the same records, with memories of their own and one Redis. */
  readonly one: Context
  readonly other: Context
  readonly clock: { ms: number }
  readonly propertyId: string
}

export const visitor = (client = '198.51.100.1'): Visitor => ({
  browser: 'Chrome',
  os: 'Windows',
  country: '',
  address: client,
  client,
  cookie: undefined,
})

const secret = 'one secret for both nodes of this test'
const log = pino({ level: 'silent' })

export async function openAccounts(t: TestContext, home: Home): Promise<AccountWorld> {
  const { records, options } = await openMigrated(t, home)
  const config = readConfig({ BASE_URL: 'https://footfall.test', DATA_DIR: options.dataDir, SECRET: secret })
  const redis = await startFakeRedis(t)
  // In the middle of a second, as always: PostgreSQL takes no fraction for a whole number.
  const clock = { ms: Date.UTC(2026, 10, 10, 12) + 123 }
  const now = () => clock.ms
  const nodeOn = async (handle: Records): Promise<Context> => {
    const limits = await openLimits(redis.url, log)
    t.after(() => limits.close())
    const accounts: AccountDirectory = openAccountDirectory({ records: handle, now, log })
    const parts = { config, records: handle, keys: openKeys(secret), log, now, randomBytes, limits, accounts }
    return { ...parts, passwordCost: cheapPasswords } as unknown as Context
  }
  const one = await nodeOn(records)
  const draft = { name: 'Site', domains: [], default_period: null, plan: 'paid' } as const
  const { id: propertyId } = await createProperty(one, { ...draft, domains: [] })
  return { one, other: await nodeOn(await openNode(t, options)), clock, propertyId }
}

export const setupToken = async (node: Context): Promise<string> => (await setupUrl(node))?.split('#')[1] ?? ''

export async function makeFirstOwner(node: Context, email = 'owner@example.com'): Promise<Opened> {
  return setUp(node, { token: await setupToken(node), email, name: 'Olive', password: PASSWORD }, visitor())
}

export const signInOn = (node: Context, email: string, password = PASSWORD, code?: string): Promise<Opened> =>
  signIn(node, { email, password, ...(code !== undefined && { code }) }, visitor())
