// What each step of enrichment costs on the hot path: `node bench/enrich.ts`. CPU microseconds a call, which
// a busy machine changes less than the clock's, for visitors never seen before (the caches are cold) and for
// returning ones, with the real geo files.
import { openEnrich, type Enrich } from '../server/enrich/enrich.ts'

const ROUNDS = 5000

interface Step {
  readonly name: string
  /** Distinct inputs for the cold column, repeated for the warm one. */
  readonly inputs: readonly string[]
  readonly run: (enrich: Enrich, input: string) => void
}

/** Repeatable, so that two runs compare. */
function* numbers(): Generator<number, never> {
  for (let state = 42; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state
  }
}

function inputs(make: (number: () => number) => string): string[] {
  const source = numbers()
  return Array.from({ length: ROUNDS }, () => make(() => source.next().value))
}

const addressV4 = (n: () => number): string =>
  `${1 + ((n() >>> 8) % 222)}.${(n() >>> 8) % 256}.${(n() >>> 8) % 256}.${(n() >>> 8) % 256}`
const addressV6 = (n: () => number): string =>
  `2a${((n() >>> 8) % 32).toString(16).padStart(2, '0')}:${(n() >>> 16).toString(16)}:${(n() >>> 16).toString(16)}::1`
const agent = (n: () => number): string =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${n() % 200}.0.${n() >>> 16}.0 Safari/537.36`

const landing = new URL('https://example.com/')
const tagged = new URL('https://example.com/?utm_source=google&utm_medium=cpc&utm_campaign=spring&gclid=abc')

const steps: readonly Step[] = [
  { name: 'place, IPv4 anywhere', inputs: inputs(addressV4), run: (enrich, input) => enrich.place(input) },
  { name: 'place, IPv6', inputs: inputs(addressV6), run: (enrich, input) => enrich.place(input) },
  { name: 'agent', inputs: inputs(agent), run: (enrich, input) => enrich.agent(input) },
  { name: 'bot verdict, a person', inputs: inputs(agent), run: (enrich, input) => enrich.bot({ userAgent: input }) },
  {
    name: 'bot verdict, a bot',
    inputs: inputs((n) => `Mozilla/5.0 (compatible; AhrefsBot/${n()}; +http://ahrefs.com/robot/)`),
    run: (enrich, input) => enrich.bot({ userAgent: input }),
  },
  {
    name: 'source, referrer',
    inputs: inputs((n) => `https://site${n()}.example.org/`),
    run: (enrich, input) => enrich.source({ page: landing, referrer: input, ownDomains: ['example.com'] }),
  },
  {
    name: 'source, tagged link',
    inputs: inputs((n) => `https://www.google.com/?${n()}`),
    run: (enrich, input) => enrich.source({ page: tagged, referrer: input, ownDomains: ['example.com'] }),
  },
  {
    name: 'language',
    inputs: inputs((n) => `en-GB,en;q=0.${n() % 10}`),
    run: (enrich, input) => enrich.language(input),
  },
]

function microseconds(enrich: Enrich, { inputs, run }: Step): string {
  const before = process.cpuUsage()
  for (const input of inputs) run(enrich, input)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / inputs.length).toFixed(1)
}

const megabytes = (): number => Math.round(process.memoryUsage().rss / 1e6)

/** Compiles the code first: the server's hot path is compiled too. */
function warmUp(): void {
  const enrich = openEnrich({ log: { warn: () => undefined } })
  for (const step of steps) microseconds(enrich, step)
  enrich.close()
}

warmUp()
const enrich = openEnrich({ log: { warn: (details, message) => console.warn(message, details) } })
await enrich.preload()
console.log('step                       new (µs)   seen (µs)')
for (const step of steps) {
  const cold = microseconds(enrich, step)
  console.log(`${step.name.padEnd(24)} ${cold.padStart(10)} ${microseconds(enrich, step).padStart(11)}`)
}
console.log(`resident after all of it: ${megabytes()} MB`)
enrich.close()
