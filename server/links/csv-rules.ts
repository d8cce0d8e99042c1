// What a row of a file says of a link beside where it leads: whether it is on, its schedule and targeting,
// its preview card. Judged by the rules of the endpoints that set these.
import { openValidatorCompiler, validationProblem } from '../http/validation.ts'
import type { Deps } from '../kernel/deps.ts'
import { invalid } from '../kernel/problem.ts'
import { readCard } from './card.ts'
import type { ColumnName, CsvRow } from './csv.ts'
import type { ShortUrls } from './destination.ts'
import type { ImportedDetails } from './draft.ts'
import type { Utm } from './link-model.ts'
import { readRules } from './rules.ts'
import { type LinkRules, MAX_CLICKS, noRules } from './rules-model.ts'
import { MAX_TS, RulesBody, type RulesInput } from './rules-schema.ts'

const isValid = openValidatorCompiler()({ schema: RulesBody, method: 'POST', url: '', httpPart: 'body' })

const numbers = ['starts_ts', 'ends_ts', 'max_clicks'] as const
const lists = ['rules', 'split'] as const
const ruleColumns = [...numbers, 'expired_url', ...lists] as const satisfies readonly ColumnName[]
const cardColumns = ['card_title', 'card_description', 'card_image_url'] as const satisfies readonly ColumnName[]

const wholeNumber = /^\d{1,15}$/

/** What is no number stays a text, which the schema refuses in its words. */
const numberIn = (cell: string): unknown => (wholeNumber.test(cell) ? Number(cell) : cell)

function listIn(name: (typeof lists)[number], cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown
  } catch {
    throw invalid(name, `${name} must be a list in JSON.`)
  }
}

function isYes(row: CsvRow, name: ColumnName): boolean | undefined {
  const cell = row.get(name)?.trim().toLowerCase()
  if (cell === undefined) return undefined
  if (cell !== 'true' && cell !== 'false') throw invalid(name, `${name} must be true or false.`)
  return cell === 'true'
}

function countIn(row: CsvRow, name: ColumnName, most: number): number | undefined {
  const cell = row.get(name)?.trim()
  if (cell === undefined) return undefined
  if (!wholeNumber.test(cell) || Number(cell) > most) throw invalid(name, `${name} must be a whole number.`)
  return Number(cell)
}

type Reading = Pick<Deps, 'randomBytes'> & { readonly short: ShortUrls }

/** @throws Problem('validation_failed') */
function rulesIn(deps: Reading, row: CsvRow, utm: Utm): LinkRules | undefined {
  const said = ruleColumns.filter((name) => row.has(name))
  if (said.length === 0) return undefined
  const cellOf = (name: (typeof ruleColumns)[number]): unknown => {
    const cell = row.get(name)!.trim()
    if (name === 'rules' || name === 'split') return listIn(name, cell)
    return name === 'expired_url' ? cell : numberIn(cell)
  }
  const input: unknown = { rules: [], split: [], ...Object.fromEntries(said.map((name) => [name, cellOf(name)])) }
  if (isValid(input) !== true) throw validationProblem(isValid.errors ?? [], 'row')
  return readRules(deps, utm, input as RulesInput)
}

/** @throws Problem('validation_failed') naming the columns. */
function cardIn(row: CsvRow, short: ShortUrls): LinkRules['card'] {
  if (!cardColumns.some((name) => row.has(name))) return undefined
  const [title = '', description, image_url] = cardColumns.map((name) => row.get(name))
  return readCard({ title, description: description ?? null, image_url: image_url ?? null }, short, 'card_')
}

/** @throws Problem('validation_failed') */
export function toldIn(deps: Reading, row: CsvRow, utm: Utm): ImportedDetails {
  const rules = rulesIn(deps, row, utm)
  const card = cardIn(row, deps.short)
  const createdTs = countIn(row, 'created_ts', MAX_TS)
  return {
    ...(rules || card ? { rules: { ...(rules ?? noRules), ...(card && { card }) } } : {}),
    ...(createdTs !== undefined && { createdTs }),
    isActive: isYes(row, 'is_active') ?? true,
    isArchived: isYes(row, 'is_archived') ?? false,
    hadPassword: isYes(row, 'has_password') ?? false,
    uses: countIn(row, 'used_clicks', MAX_CLICKS) ?? 0,
  }
}
