// Who is ahead in a test, by how much and how certain that is, in a sentence.
import { chance, percent } from '../../format.ts'
import { content as text } from '../../texts/index.ts'

const words = text.verdict

export interface Compared {
  readonly version_id: string
  readonly label: string
  readonly weight: number
  readonly rate: number | null
  readonly chance_to_win: number | null
}

/** Those that are shown, the best first. */
export const byRate = <Version extends Compared>(versions: readonly Version[]): Version[] =>
  versions.filter(({ weight }) => weight > 0).toSorted((one, other) => (other.rate ?? 0) - (one.rate ?? 0))

/** @returns undefined where there is nothing to compare, or not enough data. */
export function sentenceOf({
  winner,
  versions,
}: {
  readonly winner: string | null
  readonly versions: readonly Compared[]
}): string | undefined {
  const [best, second] = byRate(versions)
  if (!best || !second || best.rate === null || second.rate === null || best.chance_to_win === null) return undefined
  const rates = words.against(percent(best.rate), percent(second.rate), second.label)
  if (best.rate === second.rate) return words.even(percent(best.rate))
  if (winner !== best.version_id) return words.ahead(best.label, rates, chance(best.chance_to_win))
  const more = second.rate === 0 ? undefined : percent(best.rate / second.rate - 1)
  return words.wins(best.label, more, rates, chance(best.chance_to_win))
}
