// The columns of devices and pages: page views, and each measure with its rating.
import type { Speed } from '../../api/speed.ts'
import { NO_FIGURE, number } from '../../format.ts'
import { Address } from '../../parts/address.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import type { Column } from '../../parts/table.tsx'
import { deviceName } from '../../service-words.ts'
import { speed as text } from '../../texts/index.ts'
import { toneOf, valueOf, type VitalName, vitalNames } from './values.ts'

type Measured = NonNullable<Speed['all']>

/** On a phone, the three that Google calls core are enough. */
const minor: ReadonlySet<VitalName> = new Set(['fcp', 'ttfb'])

function Value({ row, name }: { row: Measured; name: VitalName }) {
  const { rating } = row[name]
  if (rating === null) return NO_FIGURE
  return (
    <span title={text.ratings[rating]}>
      <StatusDot tone={toneOf[rating]}>
        {valueOf(name, row[name])}
        <span className="visually-hidden"> {text.ratings[rating]}</span>
      </StatusDot>
    </span>
  )
}

const measures = <Row extends Measured>(): readonly Column<Row>[] => [
  ...vitalNames.map((name): Column<Row> => ({
    id: name,
    header: text.vitals[name].short,
    align: 'end',
    isMinor: minor.has(name),
    cell: (row) => <Value row={row} name={name} />,
  })),
  { id: 'loads', header: text.loads, align: 'end', cell: ({ loads }) => number(loads) },
]

export const deviceColumns: readonly Column<Speed['devices'][number]>[] = [
  { id: 'device', header: text.devices.device, cell: ({ device }) => deviceName(device) },
  ...measures<Speed['devices'][number]>(),
]

export const pageColumns: readonly Column<Speed['pages'][number]>[] = [
  { id: 'page', header: text.pages.page, cell: ({ path }) => <Address address={path} /> },
  ...measures<Speed['pages'][number]>(),
]
