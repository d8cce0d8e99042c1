// The sign-in log of a person: one's own, or of somebody whom an owner looks after.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listSignIns, SIGN_INS_PER_PAGE, type SignIn } from '../../api/accounts.ts'
import { countryName, dateTime, NO_FIGURE } from '../../format.ts'
import { StatusDot, type Tone } from '../../parts/marks.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { account as all } from '../../texts/index.ts'
import { deviceName } from './devices.tsx'

const text = all.signIns

const tones: Readonly<Record<SignIn['outcome'], Tone>> = {
  ok: 'good',
  wrong_password: 'warn',
  wrong_code: 'warn',
  locked: 'bad',
}

/** Where from, as far as it is known. The place is a country, or its two letters. */
const whereFrom = ({ country, address }: SignIn): string => {
  const place = /^[A-Z]{2}$/.test(country) ? countryName(country) : country
  return [place, address].filter(Boolean).join(' · ') || NO_FIGURE
}

const columns: readonly Column<SignIn>[] = [
  { id: 'when', header: text.when, cell: ({ ts }) => dateTime(ts) },
  {
    id: 'outcome',
    header: text.outcome,
    cell: ({ outcome }) => <StatusDot tone={tones[outcome]}>{text.outcomes[outcome] ?? outcome}</StatusDot>,
  },
  {
    id: 'from',
    header: text.from,
    skeleton: <TwoLinesSkeleton />,
    cell: (one) => <TwoLines title={deviceName(one)} detail={whereFrom(one)} />,
  },
]

export interface SignInsProps {
  /** Left out: one's own. */
  readonly user?: string
  readonly page: number
  readonly onPage: (page: number) => void
}

export function SignIns({ user, page, onPage }: SignInsProps) {
  const signIns = useQuery({
    queryKey: ['sign-ins', user ?? 'own', page],
    queryFn: ({ signal }) => listSignIns(user, page, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PagedTable
        list={signIns}
        page={page}
        perPage={SIGN_INS_PER_PAGE}
        onPage={onPage}
        caption={text.caption}
        columns={columns}
        rowKey={({ ts, outcome, address }) => `${ts} ${outcome} ${address}`}
        skeletonRows={4}
        empty={<EmptyState isSmall title={text.empty} />}
      />
    </>
  )
}
