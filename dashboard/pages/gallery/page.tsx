// Every part at once with made-up texts, for developers (`npm run dev`, /properties/…/gallery). It is never
// built.
import { Copy, Inbox, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from '../../parts/announce.tsx'
import { BarList, BarRow, BarRowSkeleton } from '../../parts/bar-row.tsx'
import { Button, IconButton, LinkButton } from '../../parts/button.tsx'
import { CodeBlock, Copyable, SecretOnce } from '../../parts/copy.tsx'
import { ConfirmDialog, Drawer } from '../../parts/dialog.tsx'
import {
  Checkbox,
  NumberField,
  RadioGroup,
  SearchField,
  Select,
  Switch,
  TextArea,
  TextField,
} from '../../parts/fields.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Avatar, Badge, Country, Key, OutsideLink, Progress, RelativeTime, StatusDot } from '../../parts/marks.tsx'
import { Facts, PageHeader, Panel, Stack, Tabs } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Preview } from '../../parts/preview.tsx'
import { EmptyState, ErrorState, Note, SkeletonLines } from '../../parts/states.tsx'
import { DataTable, Pagination, type Sort } from '../../parts/table.tsx'
import { Tooltip } from '../../parts/tooltip.tsx'
import { number, percent } from '../../format.ts'

const rows = [
  { id: 'a', name: 'Spring newsletter', clicks: 12_480, rate: 0.312, state: 'Active' },
  {
    id: 'b',
    name: 'A link whose name is rather long, as names sometimes are when nobody stops them',
    clicks: 64,
    rate: 0.04,
    state: 'Archived',
  },
  { id: 'c', name: 'Partners', clicks: 3, rate: 0, state: 'Active' },
]

const sources = [
  ['Google', 1423],
  ['Direct', 980],
  ['newsletter.example.com/with/a/very/long/path/that/has/to/be/cut/somewhere', 412],
  ['ChatGPT', 96],
] as const

export default function GalleryPage() {
  const [name, setName] = useState('Olive')
  const [tab, setTab] = useState<'one' | 'two' | 'three'>('one')
  const [isOn, setOn] = useState(true)
  const [choice, setChoice] = useState('a')
  const [amount, setAmount] = useState<number | null>(3)
  const [sort, setSort] = useState<Sort>({ by: 'clicks', isDescending: true })
  const [open, setOpen] = useState<'drawer' | 'confirm'>()
  const [page, setPage] = useState(1)
  return (
    <>
      <PageHeader
        title="Gallery"
        subtitle="Every part at once, to look at."
        actions={
          <>
            <PeriodPicker />
            <Button icon={<Copy />}>Plain</Button>
            <Button look="primary" icon={<Plus />} onClick={() => toast('Saved')}>
              Primary
            </Button>
          </>
        }
      />
      <Stack>
        <FilterBar />
        <Panel title="Buttons and marks" subtitle="What is pressed, and what is said in a word.">
          <div>
            <Button look="quiet">Quiet</Button> <Button look="danger">Danger</Button> <Button isBusy>Busy</Button>{' '}
            <Button disabled>Disabled</Button> <Button size="small">Small</Button>{' '}
            <LinkButton href="/">Link</LinkButton> <IconButton label="Remove" icon={<Trash2 />} />{' '}
            <Menu button="Menu" items={[{ label: 'Edit' }, { label: 'Delete', isDanger: true, startsGroup: true }]} />
          </div>
          <div>
            <Badge>Plain</Badge> <Badge tone="accent">Accent</Badge> <Badge tone="good">Good</Badge>{' '}
            <Badge tone="warn">Warn</Badge> <Badge tone="bad">Bad</Badge>{' '}
            <StatusDot tone="good" isLive>
              12 now
            </StatusDot>{' '}
            <Avatar name="Ada Lovelace" /> <Country code="DE" /> <Key>D</Key> <RelativeTime ts={1_700_000_000} />{' '}
            <OutsideLink url="https://example.com" /> <OutsideLink url="javascript:alert(1)" />{' '}
            <Tooltip words="Share of sessions with at most one view.">
              <Button look="quiet">Hover</Button>
            </Tooltip>
          </div>
          <Progress label="Half" value={0.5} />
        </Panel>
        <Panel title="Fields">
          <Stack>
            <TextField label="Name" hint="As others see it." value={name} onChange={setName} />
            <TextField label="Wrong" errors={['Must be an address.']} value={name} onChange={setName} />
            <NumberField label="Amount" value={amount} onChange={setAmount} />
            <Select
              label="Choice"
              value={choice}
              onChange={setChoice}
              options={[
                { value: 'a', label: 'First' },
                { value: 'b', label: 'Second', group: 'Others' },
              ]}
            />
            <TextArea label="Words" value={name} onChange={setName} />
            <SearchField label="Search" value="" onChange={setName} />
            <Switch label="Takes effect at once" hint="And says so." isOn={isOn} onChange={setOn} />
            <Checkbox label="Saved later" isOn={isOn} onChange={setOn} />
            <RadioGroup
              label="One of these"
              value={choice}
              onChange={setChoice}
              options={[
                { value: 'a', label: 'First', hint: 'The usual one.' },
                { value: 'b', label: 'Second' },
              ]}
            />
          </Stack>
        </Panel>
        <Panel title="Table" isFlush actions={<Button size="small">CSV</Button>}>
          <DataTable
            caption="Links"
            rows={rows}
            rowKey={(row) => row.id}
            rowHref={() => '/'}
            sort={sort}
            onSort={setSort}
            columns={[
              { id: 'name', header: 'Name', cell: (row) => row.name, isSortable: true },
              { id: 'state', header: 'State', cell: (row) => <Badge>{row.state}</Badge> },
              { id: 'rate', header: 'Rate', align: 'end', cell: (row) => percent(row.rate), isMinor: true },
              { id: 'clicks', header: 'Clicks', align: 'end', cell: (row) => number(row.clicks), isSortable: true },
            ]}
          />
          <Pagination page={page} perPage={3} total={40} onPage={setPage} />
        </Panel>
        <Panel title="On its way" isFlush>
          <DataTable
            caption="Loading"
            rows={undefined}
            skeletonRows={2}
            rowKey={() => ''}
            columns={[
              { id: 'a', header: 'Name', cell: () => '' },
              { id: 'b', header: 'Clicks', align: 'end', cell: () => '' },
            ]}
          />
        </Panel>
        <Panel>
          <Tabs
            label="Sources"
            chosen={tab}
            onChoose={setTab}
            tabs={[
              { id: 'one', label: 'Sources' },
              { id: 'two', label: 'Loading', count: 3 },
              { id: 'three', label: 'Empty' },
            ]}
          >
            {tab === 'one' && (
              <BarList head={['Source', 'Sessions', 'Share']}>
                {sources.map(([label, value]) => (
                  <BarRow
                    key={label}
                    label={label}
                    value={number(value)}
                    percent={percent(value / 2911)}
                    share={value / 1423}
                    onChoose={() => toast(label)}
                  />
                ))}
              </BarList>
            )}
            {tab === 'two' && (
              <BarList>
                <BarRowSkeleton share={0.9} />
                <BarRowSkeleton share={0.4} />
              </BarList>
            )}
            {tab === 'three' && (
              <EmptyState isSmall icon={<Inbox />} title="Nothing yet">
                It will be here.
              </EmptyState>
            )}
          </Tabs>
        </Panel>
        <Panel title="Said and copied">
          <Stack>
            <Note>Plain words.</Note>
            <Note tone="good">All is well.</Note>
            <Note tone="warn">Take care.</Note>
            <Facts
              rows={[
                ['Key', <Copyable key="k" words="ff_0123456789" />],
                ['Long', 'A value that goes on and on until the line is over and it has to break'],
              ]}
            />
            <CodeBlock
              label="Snippet"
              code={'<script defer src="https://stats.example.com/signals.js" data-key="ff_0123456789"></script>'}
            />
            <SecretOnce label="Token" secret="fft_0123456789abcdef" onDone={() => toast('Kept')} />
            <Preview
              title="Preview"
              html="<h1>Hello</h1><p style='color:teal'>As visitors see it. <b onclick='alert(1)'>Safe</b></p>"
            />
            <SkeletonLines />
            <ErrorState
              error={new Error('The service is temporarily unavailable.')}
              onRetry={() => undefined}
              isSmall
            />
            <div>
              <Button onClick={() => setOpen('drawer')}>Drawer</Button>{' '}
              <Button look="danger" onClick={() => setOpen('confirm')}>
                Delete
              </Button>
            </div>
          </Stack>
        </Panel>
      </Stack>
      {open === 'drawer' && (
        <Drawer title="One visit" subtitle="Yesterday, from Berlin" onClose={() => setOpen(undefined)}>
          <SkeletonLines lines={6} />
        </Drawer>
      )}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Delete this property?"
          action="Delete the property"
          typed="Test"
          onConfirm={async () => toast('Gone')}
          onClose={() => setOpen(undefined)}
        >
          Everything that was collected for it goes with it, at once and for good.
        </ConfirmDialog>
      )}
    </>
  )
}
