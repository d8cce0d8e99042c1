// One link: where it leads, its QR code, and what came of it.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link as InnerLink, useLocation } from 'wouter'
import { changeLink, deleteLink, type Link, readLink, utmNames } from '../../api/links.ts'
import { date, number } from '../../format.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { BackLink, DetailSkeleton } from '../../parts/detail.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Badge, OutsideLink, StatusDot } from '../../parts/marks.tsx'
import { Facts, PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Loaded, Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { link as linkText, links as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { flagParam, useUrlState } from '../../url.ts'
import { useCarriedSearch } from '../../window.ts'
import { CardPanel } from './card-panel.tsx'
import { Clicks } from './clicks.tsx'
import { useEditLinks } from './edit-links.ts'
import { LinkDialog } from './link-dialog.tsx'
import { linkKey, shortName, stateWords, useGroups, useRefresh } from './links.ts'
import styles from './links.module.css'
import { RulesPanel } from './rules-panel.tsx'
import { QrPanel } from './qr-panel.tsx'
import { Results } from './results.tsx'
import { SplitPanel } from './split-panel.tsx'

const words = linkText.link
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
            subtitle={<StatusDot tone={loaded.is_active ? 'good' : 'plain'}>{stateWords(loaded)}</StatusDot>}
            actions={<Actions link={loaded} />}
          />
          <Stack>
            {loaded.is_archived && <Note>{text.edits.archivedNote}</Note>}
            {!loaded.is_active && <Note tone="warn">{words.offNote}</Note>}
            <div className={styles.head}>
              <Details link={loaded} />
              <QrPanel link={loaded} />
            </div>
            <Results owner={{ kind: 'link', id: loaded.id }} />
            <SplitPanel link={loaded} />
            <RulesPanel link={loaded} />
            <CardPanel link={loaded} />
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
  const editLink = useEditLinks()
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
        items={[
          {
            label: link.is_archived ? text.edits.restore : text.edits.archive,
            icon: link.is_archived ? <ArchiveRestore /> : <Archive />,
            onSelect: () => void editLink([link.id], { is_archived: !link.is_archived }).catch(toastError),
          },
          { label: words.delete, icon: <Trash2 />, isDanger: true, onSelect: () => setAsking(true) },
        ]}
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
          link.tags.length > 0 && [
            text.edits.tags,
            <span key="tags" className={styles.badges}>
              {link.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>,
          ],
          link.notes !== null && [
            text.edits.notes,
            <span key="notes" className={styles.notes}>
              {link.notes}
            </span>,
          ],
          [words.clicks, number(link.clicks)],
          [words.created, date(link.created_ts)],
        ]}
      />
    </Panel>
  )
}
