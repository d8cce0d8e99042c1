// `footfall demo`: a year of believable traffic for the property "Demo", with a progress bar and a rate, and how to look at it.
// The embedded facts belong to one process: a server on the same DATA_DIR has to be stopped first, and the command says so.
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { readConfig } from '../server/config.ts'
import { openContext, type OpenContext } from '../server/context.ts'
import {
  createDemoToken,
  findOrCreateDemoProperty,
  writeDemo,
  type DemoOptions,
  type DemoTotals,
} from '../server/demo/demo.ts'
import { settleFacts } from '../server/stores/facts-retention.ts'

const usage = `footfall demo [--sessions 200000] [--days 365] [--seed 1] [--json]

Writes made-up traffic for the property "Demo" (made when it is missing): visits of the last --days days, ending now,
and a tenth as many robots on top. The same seed on the same day writes the same traffic; writing it again changes nothing.`

const LIMITS = { sessions: 100_000_000, days: 3_650, seed: 2_147_483_647 }
/** Between two lines where no bar can be drawn. */
const LINE_EVERY_MS = 10_000

type Asked = DemoOptions & { readonly json: boolean }

function wholeNumber(name: keyof typeof LIMITS, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 1 && value <= LIMITS[name]))
    throw new Error(`--${name} must be a whole number from 1 to ${LIMITS[name]}`)
  return value
}

/** Undefined when help was asked for. @throws Error with a sentence for the user. */
function readArgs(args: string[]): Asked | undefined {
  const { values } = parseArgs({
    args,
    options: {
      sessions: { type: 'string', default: '200000' },
      days: { type: 'string', default: '365' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  return {
    sessions: wholeNumber('sessions', values.sessions),
    days: wholeNumber('days', values.days),
    seed: wholeNumber('seed', values.seed),
    json: values.json,
  }
}

interface Meter {
  show(totals: Readonly<DemoTotals>): void
  stop(): void
}

function openBar(total: number): Meter {
  const bar = new SingleBar({
    format: '{bar} {percentage}% · {value} of {total} sessions · {rate}/s · {eta_formatted} left',
    fps: 5,
  })
  const startMs = performance.now()
  bar.start(total, 0, { rate: 0 })
  return {
    show: ({ sessions }) =>
      bar.update(sessions, { rate: Math.round((sessions * 1000) / (performance.now() - startMs)) }),
    stop: () => bar.stop(),
  }
}

/** For logs, where a bar would be a heap of control characters. */
function openLines(total: number): Meter {
  const startMs = performance.now()
  let nextMs = startMs + LINE_EVERY_MS
  return {
    show({ sessions }) {
      const nowMs = performance.now()
      if (nowMs < nextMs) return
      nextMs = nowMs + LINE_EVERY_MS
      process.stderr.write(`${sessions} of ${total} sessions, ${Math.round((sessions * 1000) / (nowMs - startMs))}/s\n`)
    },
    stop: () => undefined,
  }
}

async function fill(context: OpenContext, { json, ...options }: Asked) {
  const property = await findOrCreateDemoProperty(context)
  const meter = process.stderr.isTTY && !json ? openBar(options.sessions) : openLines(options.sessions)
  const startMs = performance.now()
  const totals = await writeDemo(context, property, options, (now) => meter.show(now)).finally(() => meter.stop())
  const seconds = (performance.now() - startMs) / 1000
  if (!json) process.stderr.write('Merging what was written …\n')
  await settleFacts(context.facts)
  const token = await createDemoToken(context, property)
  return {
    property: { id: property.id, key: property.key },
    token,
    ...totals,
    seconds,
    sessions_a_second: totals.sessions / seconds,
  }
}

function printSummary(filled: Awaited<ReturnType<typeof fill>>, baseUrl: string): void {
  const count = (number: number) => Math.round(number).toLocaleString('en')
  process.stdout
    .write(`${count(filled.sessions)} sessions with ${count(filled.views)} views and ${count(filled.events)} events, ${count(filled.robots)} robots,
written in ${filled.seconds.toFixed(1)} s (${count(filled.sessions_a_second)} sessions a second).

  Property  ${filled.property.id} (key ${filled.property.key})
  Token     ${filled.token}

Start the server, then ask:

  curl -s ${baseUrl}/v2/property/signals/analytics/metrics -H 'Authorization: Bearer ${filled.token}' \\
    -H 'Content-Type: application/json' -d '{"period": "last_28"}'
`)
}

async function openFillClose(asked: Asked): Promise<void> {
  const config = { ...readConfig(), logLevel: asked.json ? 'silent' : 'warn' }
  const context = await openContext(config)
  try {
    const filled = await fill(context, asked)
    if (asked.json) process.stdout.write(`${JSON.stringify(filled)}\n`)
    else printSummary(filled, config.baseUrl)
  } finally {
    await context.close()
  }
}

/** @returns the exit code. */
export async function demo(args: string[]): Promise<number> {
  try {
    const asked = readArgs(args)
    if (asked) await openFillClose(asked)
    else process.stdout.write(`${usage}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
