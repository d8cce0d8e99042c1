// Validates what an owner wrote about a block or a version; the management API, the command line and undo use
// the same rules. A member that is not sent stays as it is; one that is sent is replaced as a whole.
import {
  type Members,
  readBoolean,
  readList,
  readNeededText,
  readObject,
  readText,
  readWord,
} from '../kernel/draft-read.ts'
import { invalid } from '../kernel/problem.ts'
import type { ContentPolicy } from '../properties/properties.ts'
import {
  type Block,
  blockKeyShape,
  type Cta,
  ctaKeyShape,
  type Goal,
  goalTypes,
  MAX_CTA_LABEL,
  MAX_CTAS,
  MAX_GOAL_VALUE,
  MAX_HTML,
  MAX_LABEL,
  MAX_NAME,
  MAX_URL,
  MAX_WEIGHT,
  type Version,
} from './content-model.ts'
import { sanitiseContent } from '../html/content-html.ts'

/** Room on both sides: a new version may get a tenth of the others' weight, or ten times as much. */
export const DEFAULT_WEIGHT = 100

/** Cc: line breaks, escape sequences and NUL do not belong in names on terminals and pages. */
const controls = /\p{Cc}/u

function readLine(path: string, value: unknown, max: number): string {
  const text = readNeededText(path, value, max)
  if (controls.test(text)) throw invalid(path, `${path} may not contain control characters.`)
  return text
}

function readWeight(path: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_WEIGHT)
    throw invalid(path, `${path} must be a whole number from 0 to ${MAX_WEIGHT}.`)
  return value
}

// ---------------------------------------------------------------- blocks

/** What an owner sets. */
export type BlockDraft = Pick<Block, 'name' | 'goal' | 'is_archived'>

function readKey(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || !blockKeyShape.test(value))
    throw invalid('key', 'key must be 1 to 64 letters (A to Z), digits, _ and -.')
  return value
}

function readCtaKey(path: string, value: unknown): string {
  if (typeof value !== 'string' || !ctaKeyShape.test(value))
    throw invalid(path, `${path} must be 1 to 64 letters (A to Z), digits, _ . : and -.`)
  return value
}

function readGoal(written: unknown): Goal {
  const goal = readObject('goal', written)
  if (goal.type === undefined) throw invalid('goal.type', 'goal.type is required.')
  const type = readWord('goal.type', goal.type, goalTypes)
  if (type !== 'click') return { type, value: readLine('goal.value', goal.value, MAX_GOAL_VALUE) }
  const isAny = goal.value === undefined || goal.value === null
  return { type, value: isAny ? null : readCtaKey('goal.value', goal.value) }
}

function changedDraft(before: BlockDraft, body: Members): BlockDraft {
  return {
    name: body.name === undefined ? before.name : readLine('name', body.name, MAX_NAME),
    goal: body.goal === undefined ? before.goal : readGoal(body.goal),
    is_archived: body.is_archived === undefined ? before.is_archived : readBoolean('is_archived', body.is_archived),
  }
}

/**
 * @param body an object; from a file it may be anything. @throws Problem('validation_failed') naming the
 * member.
 */
export function readBlockDraft(body: unknown): BlockDraft & { readonly key: string | null } {
  const members = readObject('body', body)
  if (members.name === undefined) throw invalid('name', 'name is required.')
  const empty: BlockDraft = { name: '', goal: { type: 'click', value: null }, is_archived: false }
  return { key: readKey(members.key), ...changedDraft(empty, members) }
}

function readWeights({ versions }: Block, written: unknown): Map<string, number> {
  if (written === undefined) return new Map()
  const entries = Object.entries(readObject('weights', written))
  return new Map(
    entries.map(([id, weight]) => {
      if (!versions.some((version) => version.id === id))
        throw invalid('weights', 'weights contains an unknown version.')
      return [id, readWeight(`weights.${id}`, weight)]
    }),
  )
}

/** An unchanged goal keeps its object. @throws Problem('validation_failed') naming the member. */
export function readBlockChange(
  block: Block,
  body: unknown,
): BlockDraft & { readonly weights: ReadonlyMap<string, number> } {
  const members = readObject('body', body)
  if (members.key !== undefined && members.key !== block.key)
    throw invalid('key', 'key cannot be changed: pages use it. Create another content block instead.')
  const weights = readWeights(block, members.weights)
  const draft = changedDraft(block, members)
  const isSameGoal = draft.goal.type === block.goal.type && draft.goal.value === block.goal.value
  return { ...draft, goal: isSameGoal ? block.goal : draft.goal, weights }
}

// ---------------------------------------------------------------- versions

export type VersionDraft = Pick<Version, 'label' | 'html' | 'ctas' | 'weight' | 'is_active'>

/** With what the policy removed from its HTML. */
export interface ReadVersion {
  readonly draft: VersionDraft
  readonly removed: readonly string[]
}

/**
 * Browsers drop these blanks and read a backslash as a slash, so the real URL would differ from the visible
 * one.
 */
const strange = /[\s\p{Cc}\\]/u
const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:'])

const isPath = (url: string): boolean => /^(?:[?#]|\/(?!\/))/.test(url)

function readUrl(path: string, value: unknown): string | null {
  const url = readText(path, value, MAX_URL)
  if (url === '') return null
  const isGood =
    !strange.test(url) && (isPath(url) || (URL.canParse(url) && schemes.has(new URL(url).protocol) && /^\w/.test(url)))
  if (!isGood) throw invalid(path, `${path} must be a URL with http, https, mailto or tel, or a path like /prices.`)
  return url
}

function readCtas(written: unknown): Cta[] {
  const seen = new Set<string>()
  return readList('ctas', written, MAX_CTAS).map((each, index) => {
    const path = `ctas.${index}`
    const cta = readObject(path, each)
    const key = readCtaKey(`${path}.key`, cta.key)
    if (seen.has(key)) throw invalid(`${path}.key`, `${path}.key: another one has it already.`)
    seen.add(key)
    return {
      key,
      label: cta.label === undefined || cta.label === null ? key : readLine(`${path}.label`, cta.label, MAX_CTA_LABEL),
      url: readUrl(`${path}.url`, cta.url),
    }
  })
}

/** The HTML that is stored. @throws Problem('validation_failed') */
export function readHtml(policy: ContentPolicy, written: unknown): { html: string; removed: readonly string[] } {
  if (typeof written !== 'string') throw invalid('html', 'html must be a text.')
  const sanitised = sanitiseContent(readText('html', written, MAX_HTML), policy)
  // Escaping makes an & five characters long: the stored HTML must be short enough to be saved again.
  if (sanitised.html.length > MAX_HTML)
    throw invalid('html', `html may have at most ${MAX_HTML} characters when it is written out as HTML.`)
  return sanitised
}

function changedVersion(policy: ContentPolicy, before: VersionDraft, body: Members): ReadVersion {
  const { html, removed } = body.html === undefined ? { html: before.html, removed: [] } : readHtml(policy, body.html)
  const draft = {
    label: body.label === undefined ? before.label : readLine('label', body.label, MAX_LABEL),
    html,
    ctas: body.ctas === undefined ? before.ctas : readCtas(body.ctas),
    weight: body.weight === undefined ? before.weight : readWeight('weight', body.weight),
    is_active: body.is_active === undefined ? before.is_active : readBoolean('is_active', body.is_active),
  }
  return { draft, removed }
}

/** @throws Problem('validation_failed') naming the member. */
export function readVersionDraft(policy: ContentPolicy, body: unknown): ReadVersion {
  const members = readObject('body', body)
  for (const name of ['label', 'html']) if (members[name] === undefined) throw invalid(name, `${name} is required.`)
  return changedVersion(policy, { label: '', html: '', ctas: [], weight: DEFAULT_WEIGHT, is_active: true }, members)
}

/** @throws Problem('validation_failed') naming the member. */
export function readVersionChange(policy: ContentPolicy, version: Version, body: unknown): ReadVersion {
  const { label, html, ctas, weight, is_active } = version
  return changedVersion(policy, { label, html, ctas, weight, is_active }, readObject('body', body))
}
