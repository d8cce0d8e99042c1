// What a visitor saw of a block or did with it, as a row of the facts. It holds no personal data: no IP
// address, and of the visitor only the session.
import type { Enrich } from '../enrich/enrich.ts'
import { dayOf, dayText } from '../kernel/days.ts'
import type { ImpressionRow } from '../stores/tables.ts'
import { hintsIn, type Visitor } from '../tracker/tracker.ts'
import type { ContentRequest, RequestScope } from './request.ts'

/** One interaction, validated. */
export interface Interaction {
  readonly kind: ImpressionRow['kind']
  /**
   * Unsigned 64-bit. A view has the id of its render, so that repeating it only adds dwell time; every click
   * has its own.
   */
  readonly id: bigint
  readonly scope: RequestScope
  readonly request: ContentRequest
  /** Milliseconds. */
  readonly at: number
  readonly dwell_ms: number
  readonly cta_key: string
  readonly element_key: string
  readonly event_name: string
  /** JSON of an object; '' without one. */
  readonly meta: string
}

/** The browser that reported it. */
export interface Sender {
  readonly visitor: Visitor
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Bots are stored with the reason, like their page views, and excluded from all figures. */
function senderFields(enrich: Enrich, { visitor, headers }: Sender) {
  const place = enrich.place(visitor.address)
  const hints = hintsIn(headers)
  const bot = enrich.bot({ userAgent: visitor.agent, place, brands: hints?.brands })
  return {
    country_code: place.country_code,
    device: enrich.agent(visitor.agent, hints).device,
    is_bot: bot.is_bot ? 1 : 0,
    bot_reason: bot.reason,
  }
}

/** The day of the render, so that a repetition after midnight folds into the same row. */
export function impressionRow(enrich: Enrich, interaction: Interaction, sender: Sender): ImpressionRow {
  const { scope, request, kind, id, at, dwell_ms, cta_key, element_key, event_name, meta } = interaction
  return {
    property: scope.propertyId,
    block: scope.blockId,
    phase: request.phase,
    version: scope.versionId,
    kind,
    day: dayText(dayOf(request.issuedMs)),
    session_day: dayText(request.day),
    session: request.hash.toString(),
    id: id.toString(),
    request: request.nonce.toString(),
    at,
    dwell_ms,
    cta_key,
    element_key,
    event_name,
    meta,
    ...senderFields(enrich, sender),
  }
}
