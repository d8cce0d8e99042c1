// `footfall demo`: a year of believable traffic for the property "Demo", with a progress bar, and how to look
// at it. The embedded facts belong to one process: a server on the same DATA_DIR must be stopped first, and
// the command says so.
import { readConfig, type Config } from '../server/config.ts'
import { openContext, type OpenContext } from '../server/context.ts'
import { createDemoToken, findOrCreateDemoProperty, writeDemo, type DemoOptions } from '../server/demo/demo.ts'
import { settleFacts } from '../server/stores/facts/retention.ts'
import { answer, readOptions, UsageError, write } from './command.ts'
import { openMeter } from './meter.ts'

const usage = `footfall demo [--sessions 200000] [--days 365] [--seed 1] [--json]

Writes sample traffic for the property "Demo" (created if missing): visits of the last --days days up to now, short links and
forms used by some of them, and a tenth as many bots on top. The same --seed always writes the same days, so running it again
only adds what is new today.`

const LIMITS = { sessions: 100_000_000, days: 3_650, seed: 2_147_483_647 }

const options = {
  sessions: { type: 'string', default: '200000' },
  days: { type: 'string', default: '365' },
  seed: { type: 'string', default: '1' },
} as const

function wholeNumber(name: keyof typeof LIMITS, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= 1 && value <= LIMITS[name]) return value
  throw new UsageError(`--${name} must be a whole number from 1 to ${LIMITS[name]}`)
}

async function fill(context: OpenContext, asked: DemoOptions, json: boolean) {
  const property = await findOrCreateDemoProperty(context)
  const meter = openMeter('sessions', asked.sessions, process.stderr.isTTY && !json)
  const startMs = performance.now()
  const totals = await writeDemo(context, property, asked, ({ sessions }) => meter.show(sessions)).finally(() =>
    meter.stop(),
  )
  const seconds = (performance.now() - startMs) / 1000
  if (!json) process.stderr.write('Merging what was written …\n')
  await settleFacts(context.facts)
  await context.facts.settle(context.now(), false)
  const token = await createDemoToken(context, property)
  return {
    property: { id: property.id, key: property.key },
    token,
    ...totals,
    seconds,
    sessions_a_second: totals.sessions / seconds,
  }
}

function summary(filled: Awaited<ReturnType<typeof fill>>, baseUrl: string): string[] {
  const count = (number: number) => Math.round(number).toLocaleString('en')
  return [
    `${count(filled.sessions)} sessions with ${count(filled.views)} views and ${count(filled.events)} events, ${count(filled.robots)} bots, ${count(filled.clicks)} link clicks, ${count(filled.submissions)} form submissions, ${count(filled.impressions)} experiment views and clicks,`,
    `written in ${filled.seconds.toFixed(1)} s (${count(filled.sessions_a_second)} sessions a second).`,
    '',
    `  Property  ${filled.property.id} (key ${filled.property.key})`,
    `  Token     ${filled.token}`,
    '',
    'Start the server, then ask:',
    '',
    `  curl -s ${baseUrl}/v2/property/signals/analytics/metrics -H 'Authorization: Bearer ${filled.token}' \\`,
    `    -H 'Content-Type: application/json' -d '{"period": "last_28"}'`,
  ]
}

async function open(config: Config): Promise<OpenContext> {
  try {
    return await openContext(config)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('another process'))) throw error
    const advice =
      'The demo writes the embedded facts itself: stop the server on this DATA_DIR first, or give the demo another one.'
    throw new Error(`${error.message} ${advice}`, { cause: error })
  }
}

export async function demo(args: string[]): Promise<number> {
  const { values } = readOptions(args, options)
  if (values.help) {
    write(usage)
    return 0
  }
  const asked = {
    sessions: wholeNumber('sessions', values.sessions),
    days: wholeNumber('days', values.days),
    seed: wholeNumber('seed', values.seed),
  }
  // Programs read standard output, where the log would be as well.
  const config = { ...readConfig(), logLevel: values.json ? 'silent' : 'warn' }
  const context = await open(config)
  try {
    const filled = await fill(context, asked, values.json)
    answer(values.json, filled, summary(filled, config.baseUrl))
  } finally {
    await context.close()
  }
  return 0
}
