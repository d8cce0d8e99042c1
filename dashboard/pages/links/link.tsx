// One link: where it leads, its QR code, and what came of it.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link as InnerLink, useLocation } from 'wouter'
import { changeLink, deleteLink, type Link, qrUrl, readLink, utmNames } from '../../api/links.ts'
import { date, number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, FileButton } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { BackLink, DetailSkeleton } from '../../parts/detail.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { OutsideLink, StatusDot } from '../../parts/marks.tsx'
import { Facts, PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Loaded, Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { flagParam, useUrlState } from '../../url.ts'
import { useCarriedSearch } from '../../window.ts'
import { Clicks } from './clicks.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { linkKey, shortName, useGroups, useRefresh } from './links.ts'
import styles from './links.module.css'
import { RulesPanel } from './rules-panel.tsx'
import { Statistics } from './statistics.tsx'

const words = text.link
const codecs = { edit: flagParam }

export function LinkPage({ id }: { id: string }) {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const link = useQuery({
    queryKey: linkKey(property.id, id),
    queryFn: ({ signal }) => readLink(property.id, id, signal),
  })
  const shown = link.data?.link
  useTitle(shown ? (shown.name ?? shortName(shown.short_url)) : text.title, property.name)
  return (
    <Loaded query={link} skeleton={<DetailSkeleton />}>
      {({ link: loaded }) => (
        <>
          <PageHeader
            back={<BackLink href={path('/links') + carried}>{text.back}</BackLink>}
            title={loaded.name ?? shortName(loaded.short_url)}
            subtitle={
              <StatusDot tone={loaded.is_active ? 'good' : 'plain'}>
                {loaded.is_active ? text.states.active : text.states.inactive}
              </StatusDot>
            }
            actions={<Actions link={loaded} />}
          />
          <Stack>
            {!loaded.is_active && <Note tone="warn">{words.offNote}</Note>}
            <div className={styles.head}>
              <Details link={loaded} />
              <Qr link={loaded} />
            </div>
            <RulesPanel link={loaded} />
            <Statistics owner={{ kind: 'link', id: loaded.id }} />
            <Clicks owner={{ kind: 'link', id: loaded.id }} />
          </Stack>
        </>
      )}
    </Loaded>
  )
}

function Actions({ link }: { link: Link }) {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const refresh = useRefresh()
  const [, navigate] = useLocation()
  const [{ edit }, setState] = useUrlState<{ edit: boolean }>(codecs)
  const [isAsking, setAsking] = useState(false)
  const turn = useMutation({
    mutationFn: () => changeLink(property.id, link.id, { is_active: !link.is_active }),
    onSuccess: async ({ link: { is_active } }) => {
      await refresh()
      toast(is_active ? words.switchedOn : words.switchedOff)
    },
  })
  const erase = async (): Promise<void> => {
    await deleteLink(property.id, link.id)
    toast(words.deleted)
    navigate(path('/links'), { replace: true })
    await refresh()
  }
  if (!canEdit) return null
  return (
    <>
      <Button isBusy={turn.isPending} onClick={() => turn.mutate()}>
        {link.is_active ? words.off : words.on}
      </Button>
      <Button icon={<Pencil aria-hidden="true" />} onClick={() => setState({ edit: true })}>
        {words.edit}
      </Button>
      <Menu
        button={<Ellipsis />}
        label={words.more}
        align="end"
        items={[{ label: words.delete, icon: <Trash2 />, isDanger: true, onSelect: () => setAsking(true) }]}
      />
      {edit && <LinkDialog link={link} onClose={() => setState({ edit: false }, { replace: true })} />}
      {isAsking && (
        <ConfirmDialog
          title={words.deleteTitle}
          action={words.delete}
          typed={link.code}
          onConfirm={erase}
          onClose={() => setAsking(false)}
        >
          {words.deleteWords}
        </ConfirmDialog>
      )}
    </>
  )
}

function Details({ link }: { link: Link }) {
  const path = usePropertyPath()
  const group = useGroups().data?.find(({ id }) => id === link.group_id)
  const set = utmNames.filter((name) => link.utm[name] !== null)
  return (
    <Panel title={words.details}>
      <Facts
        rows={[
          [words.short, <Copyable key="short" words={link.short_url} label={text.list.copy} />],
          [
            words.destination,
            <span key="to" className={styles.address}>
              <OutsideLink url={link.destination_url} />
            </span>,
          ],
          set.length > 0 && [
            text.editor.utmTitle,
            <span key="utm" className={styles.badges}>
              {set.map((name) => (
                <span key={name} className={styles.value}>{`${text.utm[name].label}: ${link.utm[name] ?? ''}`}</span>
              ))}
            </span>,
          ],
          [
            words.group,
            <InnerLink key="group" href={path(`/links/groups/${link.group_id}`)}>
              {group?.name ?? text.list.group}
            </InnerLink>,
          ],
          [words.clicks, number(link.clicks)],
          [words.created, date(link.created_ts)],
        ]}
      />
    </Panel>
  )
}

function Qr({ link }: { link: Link }) {
  const property = useProperty()
  const icon = <Download aria-hidden="true" />
  return (
    <Panel title={text.qr.title}>
      <div className={styles.qr}>
        <img src={qrUrl(property.id, link.id, 'svg')} alt={text.qr.picture(link.short_url)} width={160} height={160} />
        <div className={styles.badges}>
          <FileButton size="small" icon={icon} label={text.qr.svgLabel} href={qrUrl(property.id, link.id, 'svg')}>
            {text.qr.svg}
          </FileButton>
          <FileButton size="small" icon={icon} label={text.qr.pngLabel} href={qrUrl(property.id, link.id, 'png')}>
            {text.qr.png}
          </FileButton>
        </div>
        <p className={styles.small}>{text.qr.hint}</p>
      </div>
    </Panel>
  )
}
