// All forms of the property, with how often each was shown and sent.
import { TextCursorInput } from 'lucide-react'
import { listForms, type ListedForm } from '../../api/forms.ts'
import { NO_FIGURE, number, percent } from '../../format.ts'
import { RecordList } from '../../parts/record-list.tsx'
import type { Column } from '../../parts/table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { sortingBy } from '../../sorting.ts'
import { forms as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { CreateDialog } from './create.tsx'
import styles from './forms.module.css'
import { IpNotices } from './ips.tsx'
import { Unread } from './reading.tsx'
import { FormState } from './state.tsx'

const counted = (count: number | null): string => (count === null ? NO_FIGURE : number(count))

const rateOf = ({ views, submitted }: ListedForm): string =>
  views === null || submitted === null || views === 0 ? NO_FIGURE : percent(Math.min(1, submitted / views))

const columns: readonly Column<ListedForm>[] = [
  {
    id: 'name',
    isSortable: true,
    header: text.list.name,
    cell: ({ name, unread }) => (
      <>
        {name}
        {unread > 0 && <Unread label={text.list.unread(unread, number(unread))}>{number(unread)}</Unread>}
      </>
    ),
  },
  { id: 'kind', header: text.list.kind, cell: ({ kind }) => text.kinds[kind], isMinor: true },
  {
    id: 'state',
    header: text.list.state,
    cell: (form) => (
      <>
        <FormState form={form} />
        {form.tried > 0 && <span className={styles.tried}>{text.list.tried(form.tried, number(form.tried))}</span>}
      </>
    ),
  },
  { id: 'views', isSortable: true, header: text.list.views, align: 'end', cell: ({ views }) => counted(views) },
  {
    id: 'submitted',
    isSortable: true,
    header: text.list.submitted,
    align: 'end',
    cell: ({ submitted }) => counted(submitted),
  },
  { id: 'rate', isSortable: true, header: text.list.rate, align: 'end', cell: rateOf },
]

const sorting = sortingBy(['name', 'views', 'submitted', 'rate'], null)

export function FormList() {
  const property = useProperty()
  const path = usePropertyPath()
  useTitle(text.title, property.name)
  return (
    <>
      <div className={styles.notices}>
        <IpNotices />
      </div>
      <RecordList
        title={text.title}
        subtitle={text.subtitle}
        words={text.list}
        icon={<TextCursorInput />}
        columns={columns}
        sorting={sorting}
        rowHref={({ id }) => path(`/forms/${id}`)}
        queryKey={['forms', property.id]}
        load={(ask, signal) => listForms(property.id, ask, signal)}
        canEdit={useCan('admin')}
        dialog={(onClose) => <CreateDialog onClose={onClose} />}
      />
    </>
  )
}
