// IP addresses go: of a form that keeps them when their time is over, of any other at once, unless its owner
// is still to be told that there are some from before (docs/decisions/0024-ip-addresses.md). What follows
// from an address stays: place and network.
import type { Enrich } from '../enrich/enrich.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { scrubDeleted } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import type { FormTable } from '../stores/tables/form-tables.ts'
import { clearIps, endNotice, type IpNotice, listRowsWithIp, type RowWithIp } from './ip-records.ts'
import { everyForm } from './retention-records.ts'

interface IpDeps extends Pick<Deps, 'records' | 'now'> {
  readonly enrich: Pick<Enrich, 'place'>
}

type IpRule = Pick<FormTable, 'is_ip_kept' | 'ip_retention_days' | 'stored_ips_until_ts'>

const isOver = ({ stored_ips_until_ts }: Pick<IpRule, 'stored_ips_until_ts'>, nowMs: number): boolean =>
  stored_ips_until_ts === null || stored_ips_until_ts * 1000 <= nowMs

/** Addresses of submissions that were sent before then go, in unix milliseconds. */
function goneBefore(rule: IpRule, nowMs: number): number {
  if (rule.is_ip_kept === 1) return nowMs - rule.ip_retention_days * DAY_MS
  return isOver(rule, nowMs) ? Number.MAX_SAFE_INTEGER : 0
}

async function clear({ records, enrich }: IpDeps, rows: readonly RowWithIp[]): Promise<void> {
  // Versions before stored no network.
  const byNetwork = Map.groupBy(rows, ({ network, ip }) => network || enrich.place(ip).as_name)
  await records.transaction().execute(async (tx) => {
    for (const [network, alike] of byNetwork)
      await clearIps(
        tx,
        network,
        alike.map(({ seq }) => seq),
      )
  })
}

function clearForm(deps: IpDeps, formId: string, beforeMs: number): Promise<number> {
  return inSteps(async (most) => {
    const rows = await listRowsWithIp(deps.records, formId, beforeMs, most)
    if (rows.length > 0) await clear(deps, rows)
    return rows.length
  })
}

/** What was removed is not in the files any more either. @returns how many addresses that were. */
export async function removeIps(deps: IpDeps): Promise<number> {
  const { records } = deps
  const nowMs = deps.now()
  let removed = 0
  for await (const form of everyForm(records)) {
    removed += await clearForm(deps, form.id, goneBefore(form, nowMs))
    if (form.stored_ips_until_ts !== null && isOver(form, nowMs)) await endNotice(records, form.id)
  }
  if (removed > 0) await scrubDeleted(records)
  return removed
}

/** For whoever starts or migrates the service: what will happen, when, and how to have it otherwise. */
export const noticeWords = ({ forms, until_ts }: IpNotice): string =>
  `${forms === 1 ? 'One form has' : `${forms} forms have`} IP addresses of senders, stored by a version that did not ask. ` +
  `They are removed from ${new Date(until_ts * 1000).toISOString().slice(0, 10)} on; submissions stay, with country, city and network. ` +
  'To keep them for as long as you say: switch on “Store IP addresses” in the settings of the form, or ' +
  'footfall form edit FORM --file - with {"is_ip_kept": true, "ip_retention_days": 365}. See docs/decisions/0024-ip-addresses.md.'
