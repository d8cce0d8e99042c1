// What is here, as files; how long it is kept; and how it goes.
import { Panel } from '../../parts/panel.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty, useSession } from '../../session.tsx'
import { data as all } from '../../texts/index.ts'
import { IpNotices } from '../forms/ips.tsx'
import { Erasing } from './erase.tsx'
import { Exports } from './exports.tsx'
import { type Details, useDetails } from './property.ts'
import { Reset, Retention } from './retention.tsx'
import { SamplePanel } from './sample.tsx'

const text = all.kept

/** Sign-ins are kept as long, whatever else is said (docs/api/accounts.md). */
const SIGN_IN_DAYS = 90

export function DataSection() {
  const isInstallationOwner = useSession().data?.user?.is_owner === true
  const { is_sample: isSample } = useProperty()
  const details = useDetails()
  // Where everything is made up, how it goes is what one comes for.
  return (
    <>
      {isInstallationOwner && isSample && <SamplePanel />}
      <Exports />
      <IpNotices />
      <Panel title={text.title} subtitle={text.subtitle} isFlush>
        <Loaded query={details} skeleton={<SkeletonLines lines={5} />}>
          {(answer) => <Kept details={answer} />}
        </Loaded>
      </Panel>
      {details.data && <Retention key={details.data.property.id} property={details.data.property} />}
      <Erasing />
      {details.data && <Reset property={details.data.property} />}
      {isInstallationOwner && !isSample && <SamplePanel />}
    </>
  )
}

interface KeptRow {
  readonly what: string
  readonly long: string
}

const columns: readonly Column<KeptRow>[] = [
  { id: 'what', header: text.what, cell: ({ what }) => what },
  { id: 'long', header: text.long, cell: ({ long }) => long },
]

function Kept({ details: { kept_days: days } }: { details: Details }) {
  const rows: readonly KeptRow[] = [
    { what: text.facts, long: days.facts === null ? text.forGood : text.days(days.facts) },
    { what: text.submissions, long: text.submissionsLong },
    { what: text.deliveries, long: text.days(days.deliveries) },
    { what: text.signIns, long: text.days(SIGN_IN_DAYS) },
    { what: text.ips, long: text.ipsLong },
    { what: text.senderIps, long: text.senderIpsLong },
  ]
  return <DataTable caption={text.title} columns={columns} rows={rows} rowKey={({ what }) => what} />
}
