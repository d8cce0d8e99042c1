// Visits and pages that are not counted, this browser's own visits, and sessions marked as invalid.
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { readOwnIp } from '../../api/caller.ts'
import type { Property } from '../../api/properties.ts'
import { later } from '../../later.ts'
import { Button } from '../../parts/button.tsx'
import { TextArea } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { OutsideLink } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useCan } from '../../session.tsx'
import { settings as all, withTexts } from '../../texts/index.ts'
import styles from './page.module.css'
import { linesOf, useChange, useDetails } from './property.ts'

const text = all.exclusions
const Invalid = lazy(later(withTexts(['invalid'], () => import('./invalid.tsx'))))

type Field = 'excluded_addresses' | 'excluded_paths'

const words = {
  excluded_addresses: {
    title: text.addresses,
    subtitle: text.addressesSubtitle,
    label: text.addressesLabel,
    hint: text.addressesHint,
    none: text.noAddresses,
  },
  excluded_paths: {
    title: text.paths,
    subtitle: text.pathsSubtitle,
    label: text.pathsLabel,
    hint: text.pathsHint,
    none: text.noPaths,
  },
} as const

export function Exclusions() {
  const details = useDetails()
  return (
    <Loaded
      query={details}
      skeleton={
        <Panel title={text.addresses} subtitle={text.addressesSubtitle}>
          <SkeletonLines lines={6} />
        </Panel>
      }
    >
      {({ property }) => (
        <>
          <Excluded field="excluded_addresses" property={property} />
          <Excluded field="excluded_paths" property={property} />
          <Panel title={text.browser} subtitle={text.browserSubtitle} isFlush={property.domains.length > 0}>
            <ThisBrowser domains={property.domains} />
          </Panel>
          <Suspense
            fallback={
              <Panel>
                <SkeletonLines lines={6} />
              </Panel>
            }
          >
            <Invalid />
          </Suspense>
        </>
      )}
    </Loaded>
  )
}

function Excluded({ field, property }: { field: Field; property: Property }) {
  const canEdit = useCan('admin')
  const { title, subtitle, none } = words[field]
  const known = property[field]
  return (
    <Panel title={title} subtitle={subtitle}>
      {canEdit && <ExcludedForm key={property.id} field={field} known={known} />}
      {canEdit && field === 'excluded_addresses' && <OwnIp excluded={known} />}
      {!canEdit && known.length === 0 && <p className={styles.hint}>{none}</p>}
      {!canEdit && known.length > 0 && (
        <ul>
          {known.map((one) => (
            <li key={one}>
              <code>{one}</code>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function ExcludedForm({ field, known }: { field: Field; known: readonly string[] }) {
  const change = useChange()
  const { label, hint } = words[field]
  const initial = { excluded_addresses: '', excluded_paths: '', [field]: known.join('\n') }
  const form = useForm(initial, async (typed) => change({ [field]: linesOf(typed[field]) }))
  return (
    <div className={styles.narrow}>
      <SaveForm form={form} label={all.save}>
        <TextArea
          label={label}
          hint={hint}
          isCode
          rows={Math.min(10, Math.max(3, known.length + 1))}
          autoCapitalize="off"
          {...form.field(field)}
        />
      </SaveForm>
    </div>
  )
}

/** Says it, so that nobody has to look it up elsewhere. */
function OwnIp({ excluded }: { excluded: readonly string[] }) {
  const change = useChange()
  const { data: ip } = useQuery({ queryKey: ['own-ip'], queryFn: ({ signal }) => readOwnIp(signal) })
  const exclude = useMutation({ mutationFn: (own: string) => change({ excluded_addresses: [...excluded, own] }) })
  if (!ip || excluded.includes(ip)) return null
  return (
    <p className={styles.ownIp}>
      {text.yourIp(ip)}{' '}
      <Button size="small" isBusy={exclude.isPending} onClick={() => exclude.mutate(ip)}>
        {text.excludeIp}
      </Button>
    </p>
  )
}

/** An address of IPv6 stands in brackets. */
const addressOf = (domain: string, choice: 'on' | 'off'): string =>
  `https://${domain.includes(':') ? `[${domain}]` : domain}/?signals=${choice}`

const columns: readonly Column<string>[] = [
  { id: 'site', header: text.site, cell: (domain) => domain },
  {
    id: 'off',
    header: text.leaveOut,
    isAction: true,
    cell: (domain) => <OutsideLink url={addressOf(domain, 'off')}>{text.leaveOut}</OutsideLink>,
  },
  {
    id: 'on',
    header: text.countAgain,
    isAction: true,
    cell: (domain) => <OutsideLink url={addressOf(domain, 'on')}>{text.countAgain}</OutsideLink>,
  },
]

/** The site's own storage is out of the dashboard's reach, so its owner goes there. */
function ThisBrowser({ domains }: { domains: readonly string[] }) {
  if (domains.length === 0) return <p className={styles.hint}>{text.otherSite('?signals=off')}</p>
  return <DataTable caption={text.browser} columns={columns} rows={domains} rowKey={(domain) => domain} />
}
