// What owners of a property are told by email without having asked: an automation that was switched off, and
// tracking that has stopped. Each once, whichever process notices it first.
import type { Context } from '../context.ts'
import { listDisabledSince } from '../automations/automations.ts'
import { readEmail } from '../kernel/email.ts'
import { enqueueMail, isMailOn, type Letter, type MailDraft } from '../mail/mail.ts'
import { listOwnerEmails } from '../members/members.ts'
import { readersAmong } from '../subscriptions/subscriptions.ts'
import { automationLetter, silenceLetter } from './letters.ts'
import { listSilences } from './silence.ts'

export type NoticeDeps = Pick<Context, 'records' | 'facts' | 'config' | 'keys' | 'now' | 'randomBytes' | 'properties'>

/** What happened before is old news, to somebody who has just set up email as well. */
const DISABLED_WITHIN_SECONDS = 86_400
/** Rules over hours need not be asked each minute. */
const SILENCE_EVERY_MS = 600_000

interface Notice extends Pick<MailDraft, 'kind'> {
  readonly propertyId: string
  readonly letter: Letter
  /** Names what happened: each owner is told of it once. */
  readonly event: string
}

async function mailOwners(deps: NoticeDeps, { kind, propertyId, letter, event }: Notice): Promise<void> {
  const owners = (await listOwnerEmails(deps.records, propertyId)).flatMap((email) => readEmail(email) ?? [])
  await deps.records.transaction().execute(async (tx) => {
    for (const { to, unsubscribeUrl } of await readersAmong(deps, tx, { propertyId, kind: 'notices' }, owners))
      await enqueueMail(deps, tx, {
        kind,
        to,
        propertyId,
        letter: { ...letter, unsubscribeUrl },
        onceKey: `${kind} ${event} ${to.key}`,
      })
  })
}

async function tellDisabled(deps: NoticeDeps): Promise<void> {
  const sinceTs = Math.floor(deps.now() / 1000) - DISABLED_WITHIN_SECONDS
  for (const automation of await listDisabledSince(deps.records, sinceTs)) {
    const property = await deps.properties.byId(automation.property_id)
    if (!property) continue
    await mailOwners(deps, {
      kind: 'automation_off',
      propertyId: property.id,
      letter: automationLetter(deps.config, property, automation),
      event: `${automation.id} ${automation.disabled_ts}`,
    })
  }
}

async function tellSilences(deps: NoticeDeps, upSinceMs: number): Promise<void> {
  for (const { property, silence } of await listSilences(deps, upSinceMs))
    await mailOwners(deps, {
      kind: 'tracking_stopped',
      propertyId: property.id,
      letter: silenceLetter(deps.config, property, silence),
      event: `${property.id} ${silence.lastMs}`,
    })
}

/** @returns what is to be repeated: it tells of what it finds, as long as email is set up. */
export function openNotices(deps: NoticeDeps): () => Promise<void> {
  const upSinceMs = deps.now()
  let nextSilenceMs = upSinceMs
  return async () => {
    if (!isMailOn(deps.config)) return
    await tellDisabled(deps)
    if (deps.now() < nextSilenceMs) return
    await tellSilences(deps, upSinceMs)
    nextSilenceMs = deps.now() + SILENCE_EVERY_MS
  }
}
