// Where a link with rules sends a visitor. Whatever fails, somebody is sent somewhere: what cannot be found
// out holds for no rule, and without a session the first destination of a split is taken.
import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { nowhere } from '../enrich/enrich.ts'
import { attempt, type Click } from '../clicks/click-model.ts'
import { type Asker, decide, type LinkRules, variantAt } from '../links/rules-model.ts'
import { hintsIn, type Visitor } from '../tracker/tracker.ts'
import type { Target } from './memory.ts'

type ChooseDeps = Pick<Context, 'enrich' | 'visitors' | 'now' | 'log'>

export type Choice =
  | { readonly is: 'early' }
  | { readonly is: 'over'; readonly location: string | null }
  | { readonly is: 'open'; readonly location: string; readonly rule: string }

const unknownAgent = { browser: '', os: '', device: '' }

function askerOf({ enrich, now, log }: ChooseDeps, visitor: Visitor, headers: Click['headers']): Asker {
  const failed = (error: unknown): void => log.warn({ err: error }, 'a rule of a link could not be asked')
  const agent = () =>
    attempt<typeof unknownAgent>(() => enrich.agent(visitor.agent, hintsIn(headers)), unknownAgent, failed)
  return {
    nowTs: Math.floor(now() / 1000),
    device: () => agent().device,
    os: () => agent().os,
    country: () => attempt(() => enrich.place(visitor.address), nowhere, failed).country_code,
    language: () => attempt(() => enrich.language(visitor.language), '', failed),
  }
}

/** 48 bits: shares differ by less than any count of visitors shows. */
const PLACE_DIGITS = 12

/** The same for a visitor's whole day, on every node, and another one for each link. */
async function placeOf({ visitors }: ChooseDeps, { linkId, group }: Target, visitor: Visitor): Promise<number> {
  try {
    const session = await visitors.identify(group.propertyId, visitor)
    const digest = hash('sha256', `split.${linkId}.${session.day}.${session.hash.toString()}`)
    return Number.parseInt(digest.slice(0, PLACE_DIGITS), 16) / 16 ** PLACE_DIGITS
  } catch {
    return 0
  }
}

/** @param ms that a visitor waits at most, for records that are away. */
async function soon(place: Promise<number>, ms: number): Promise<number> {
  const { promise: late, resolve } = Promise.withResolvers<number>()
  const timer = setTimeout(() => resolve(0), ms)
  try {
    return await Promise.race([place, late])
  } finally {
    clearTimeout(timer)
  }
}

export async function choose(
  deps: ChooseDeps & Pick<Context, 'deadlines'>,
  target: Target & { readonly rules: LinkRules },
  visitor: Visitor,
  headers: Click['headers'],
): Promise<Choice> {
  const { rules, location } = target
  const decision = decide(rules, askerOf(deps, visitor, headers))
  if (decision === 'early') return { is: 'early' }
  if (decision === 'over') return { is: 'over', location: rules.expired_url }
  if (decision) return { is: 'open', location: decision.destination_url, rule: decision.id }
  if (rules.split.length === 0) return { is: 'open', location, rule: '' }
  const variant = variantAt(rules.split, await soon(placeOf(deps, target, visitor), deps.deadlines.redirectMs))
  return variant
    ? { is: 'open', location: variant.destination_url, rule: variant.id }
    : { is: 'open', location, rule: '' }
}
