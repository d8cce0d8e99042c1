// Domains of the property’s own for its short links: what to enter at the name servers, and whether it works.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Globe, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { checkOwnDomain, listOwnDomains, type OwnDomain, removeOwnDomain } from '../../api/domains.ts'
import { type Domain, domains as shortDomains, listLinkDomains } from '../../api/links.ts'
import { dateTime, number } from '../../format.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { EmptyState, Loaded, Note, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { domains as text } from '../../texts/index.ts'
import { AddDomain } from './add-domain.tsx'
import { DeadLinks } from './dead-links.tsx'
import styles from './page.module.css'
import { useDetails } from './property.ts'

const domainsKey = (property: string) => ['own-domains', property] as const

/** Where links live changes with the domains. */
function useRefreshDomains(): () => Promise<void> {
  const { id } = useProperty()
  const client = useQueryClient()
  return async () => {
    const keys = [domainsKey(id), ['link-domains', id]]
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}

export default function Domains() {
  const { id } = useProperty()
  const refresh = useRefreshDomains()
  const [isAdding, setAdding] = useState(false)
  const details = useDetails()
  const own = useQuery({ queryKey: domainsKey(id), queryFn: ({ signal }) => listOwnDomains(id, signal) })
  const urls = useQuery({ queryKey: ['link-domains', id], queryFn: ({ signal }) => listLinkDomains(id, signal) })
  const taken = own.data?.domains.map(({ domain }) => domain) ?? shortDomains
  const free = shortDomains.filter((domain) => !taken.includes(domain))
  const urlOf = (domain: Domain) => urls.data?.domains.find((one) => one.domain === domain)?.url ?? ''
  const add = free.length > 0 && (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <>
      <Panel title={text.title} subtitle={text.subtitle} actions={add}>
        <Loaded query={own} skeleton={<SkeletonLines lines={2} />}>
          {({ domains }) => (
            <>
              {domains.length === 0 && (
                <EmptyState isSmall icon={<Globe />} title={text.emptyTitle}>
                  {text.empty(urlOf('link-a'))}
                </EmptyState>
              )}
              {free.length === 0 && <p className={styles.hint}>{text.full}</p>}
              {domains.length > 0 && free.length > 0 && <p className={styles.hint}>{text.domainHint}</p>}
            </>
          )}
        </Loaded>
      </Panel>
      {own.data?.domains.map((one) => (
        <OneDomain key={one.host} own={one} />
      ))}
      {details.data && <DeadLinks key={id} property={details.data.property} />}
      {isAdding && (
        <AddDomain
          options={free.map((value) => ({ value, label: urlOf(value).replace(/^https?:\/\//, '') || value }))}
          onAdded={refresh}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

const State = ({ own: { is_verified, fault } }: { own: OwnDomain }) => {
  if (!is_verified) return <StatusDot tone="warn">{text.pending}</StatusDot>
  return fault === null ? (
    <StatusDot tone="good">{text.verified}</StatusDot>
  ) : (
    <StatusDot tone="warn">{text.attention}</StatusDot>
  )
}

function OneDomain({ own }: { own: OwnDomain }) {
  const { id } = useProperty()
  const refresh = useRefreshDomains()
  const [isRemoving, setRemoving] = useState(false)
  const check = useMutation({
    mutationFn: () => checkOwnDomain(id, own.host),
    onSuccess: async ({ domain: { fault, host } }) => {
      await refresh()
      if (fault === null) toast(text.passed(host))
    },
    onError: toastError,
  })
  const remove = async (): Promise<void> => {
    await removeOwnDomain(id, own.host)
    await refresh()
    toast(text.removed)
  }
  return (
    <Panel
      title={own.host}
      actions={
        <>
          <Button icon={<RefreshCw aria-hidden="true" />} isBusy={check.isPending} onClick={() => check.mutate()}>
            {text.check}
          </Button>
          <Button onClick={() => setRemoving(true)}>{text.remove}</Button>
        </>
      }
    >
      <div className={styles.part}>
        <State own={own} />
        {own.fault !== null && <Note tone="warn">{text.faults[own.fault]}</Note>}
        <Facts
          rows={[
            [text.links, number(own.count_links)],
            [text.lastCheck, own.checked_ts === null ? text.never : dateTime(own.checked_ts)],
          ]}
        />
        {(!own.is_verified || own.fault !== null) && <Records own={own} />}
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={text.removeTitle(own.host)}
          action={text.remove}
          typed={own.count_links > 0 ? own.host : undefined}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        >
          {text.removeWords(number(own.count_links), own.count_links)}
        </ConfirmDialog>
      )}
    </Panel>
  )
}

type DnsRecord = OwnDomain['records'][number]

const columns: readonly Column<DnsRecord>[] = [
  { id: 'type', header: text.type, cell: ({ type }) => type, width: '6rem' },
  { id: 'name', header: text.name, cell: ({ name }) => <Copyable words={name} label={text.copyName} /> },
  { id: 'value', header: text.value, cell: ({ value }) => <Copyable words={value} label={text.copyValue} /> },
]

const Records = ({ own: { host, records } }: { own: OwnDomain }) => (
  <section className={styles.part}>
    <div>
      <h3>{text.records}</h3>
      <p className={styles.hint}>{text.recordsHint}</p>
    </div>
    <DataTable caption={text.recordsCaption(host)} columns={columns} rows={records} rowKey={({ type }) => type} />
  </section>
)
