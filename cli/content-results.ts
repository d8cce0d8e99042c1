// The results of a content block on the command line. They need the facts; embedded ones belong to one
// process, which may be a running server.
import { readResults } from '../server/content-results/results.ts'
import { answer, columns, UsageError } from './command.ts'
import type { ContentAction } from './content-options.ts'
import { withBlock } from './which-content.ts'
import { withFacts } from './with-facts.ts'

const advice = 'A server that runs answers …/content/{block}/results under /manage.'

function readPhase(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError('--phase must be a whole number from 1')
}

const percent = (rate: number | null): string => (rate === null ? '-' : `${(rate * 100).toFixed(2)}%`)

export const results: ContentAction = async (values, [word]) => {
  const number = readPhase(values.phase)
  const found = await withBlock(values, word, (deps, block) =>
    withFacts(deps.config, advice, (facts) => readResults({ ...deps, facts }, block, number)),
  )
  const rows = found.versions.map((version) => [
    version.label,
    String(version.n),
    String(version.goals ?? '-'),
    percent(version.rate),
    version.interval === null ? '-' : `${percent(version.interval[0])} to ${percent(version.interval[1])}`,
    percent(version.chance_to_win),
    version.verdict ?? '-',
  ])
  answer(values.json, { results: found }, [
    ...columns([['VERSION', 'SESSIONS', 'GOALS', 'RATE', 'DIFFERENCE', 'CHANCE TO WIN', 'VERDICT'], ...rows]),
    ...(found.reason === null ? [] : ['', found.reason]),
  ])
}
