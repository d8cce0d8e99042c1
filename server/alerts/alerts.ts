// Alerts as admins manage them: what a property is watched for, and who is told.
import type { Context } from '../context.ts'
import { propertyNotFound } from '../kernel/problem.ts'
import { missingSettings } from '../mail/mail.ts'
import type { Property } from '../properties/properties.ts'
import { orNotFound } from '../stores/gone.ts'
import { listSubscribers, replaceReaders } from '../subscriptions/subscriptions.ts'
import { findAlertRow, saveAlertRow } from './records.ts'
import type { AlertsChange, AlertsJson } from './schema.ts'

export { openWatch } from './watching.ts'

const nothing = { live_visitors: null, has_sessions: 0, has_conversions: 0 }

export async function readAlerts(
  { records, config }: Pick<Context, 'records' | 'config'>,
  { id }: Pick<Property, 'id'>,
): Promise<AlertsJson> {
  const { live_visitors, has_sessions, has_conversions } = (await findAlertRow(records, id)) ?? nothing
  return {
    missing: missingSettings(config),
    recipients: await listSubscribers(records, { propertyId: id, kind: 'alerts' }),
    live_visitors,
    has_sessions: has_sessions === 1,
    has_conversions: has_conversions === 1,
  }
}

/** What is left out stays. @throws Problem('validation_failed' | 'not_found') */
export async function changeAlerts(
  deps: Pick<Context, 'records' | 'config' | 'now' | 'randomBytes'>,
  property: Pick<Property, 'id'>,
  change: AlertsChange,
): Promise<AlertsJson> {
  const work = deps.records.transaction().execute(async (tx) => {
    const before = (await findAlertRow(tx, property.id)) ?? nothing
    const { recipients, live_visitors = before.live_visitors } = change
    await saveAlertRow(tx, property.id, {
      live_visitors,
      has_sessions: Number(change.has_sessions ?? before.has_sessions === 1),
      has_conversions: Number(change.has_conversions ?? before.has_conversions === 1),
    })
    if (recipients)
      await replaceReaders(
        deps,
        tx,
        { propertyId: property.id, kind: 'alerts' },
        { path: 'recipients', emails: recipients },
      )
  })
  await orNotFound(work, propertyNotFound)
  return readAlerts(deps, property)
}
