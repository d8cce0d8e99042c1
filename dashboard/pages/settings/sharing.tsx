// Links that show the figures to people without an account.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { createShare, listShares, revokeShare, type ShareLink, SHARES_PER_PAGE } from '../../api/shares.ts'
import { listSegments } from '../../api/segments.ts'
import { CodeBlock, CopyButton, SecretOnce } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, Select, type SelectProps, TextArea, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Badge } from '../../parts/marks.tsx'
import { RevocableList } from '../../parts/revocable-list.tsx'
import type { Column } from '../../parts/table.tsx'
import { spokenByLine } from '../../field-errors.ts'
import { apiPath } from '../../place.ts'
import { useProperty } from '../../session.tsx'
import { settings as all } from '../../texts/index.ts'

import styles from './page.module.css'
import { linesOf } from './property.ts'

const text = all.sharing

const protectionColumn: Column<ShareLink> = {
  id: 'password',
  header: text.protection,
  cell: ({ has_password: has, segment_id: segment, origins, badge_path: badge }) => (
    <>
      {has ? <Badge tone="good">{text.protected}</Badge> : <Badge>{text.open}</Badge>}{' '}
      {segment !== null && <Badge tone="accent">{text.oneSegment}</Badge>}{' '}
      {origins.length > 0 && <Badge>{text.embedded}</Badge>}{' '}
      {badge !== null && <CopyButton words={imageOf(badge)} label={text.copyBadge} />}
    </>
  ),
}

/** Links are made on the overview too. */
export function Sharing() {
  const property = useProperty()
  return (
    <RevocableList
      title={text.title}
      subtitle={text.subtitle}
      words={text}
      icon={<Link2 />}
      column={protectionColumn}
      queryKey={['shares', property.id]}
      load={(page, signal) => listShares(property.id, page, signal)}
      perPage={SHARES_PER_PAGE}
      revoke={({ id }) => revokeShare(property.id, id)}
      isNeverKept
      dialog={(onClose) => <NewShare onClose={onClose} />}
    />
  )
}

function NewShare({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Made>()
  if (made) return <MadeShare made={made} onClose={onClose} />
  return (
    <Dialog title={text.add} subtitle={text.subtitle} onClose={onClose}>
      <ShareForm onMade={setMade} />
    </Dialog>
  )
}

type Made = Awaited<ReturnType<typeof createShare>>

/** The link, and what shows it elsewhere. */
const MadeShare = ({ made: { url, share }, onClose }: { made: Made; onClose: () => void }) => (
  <Dialog title={text.madeTitle} onClose={onClose}>
    <SecretOnce isRepeatable label={text.url} secret={url} hint={text.madeHint} onDone={onClose} />
    {share.origins.length > 0 && (
      <section className={styles.part}>
        <h3>{text.embed}</h3>
        <CodeBlock label={text.embed} code={frameOf(url, share.name)} />
      </section>
    )}
    {share.badge_path !== null && (
      <section className={styles.part}>
        <h3>{text.badge}</h3>
        <CodeBlock label={text.badge} code={imageOf(share.badge_path)} />
      </section>
    )}
  </Dialog>
)

const attribute = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const frameOf = (url: string, name: string): string =>
  `<iframe src="${url}" title="${attribute(name)}" width="100%" height="1600" style="border: 0" loading="lazy"></iframe>`
const imageOf = (path: string): string =>
  `<img src="${location.origin}${apiPath}${path}" alt="${attribute(text.badgeAlt)}" height="24">`

const noShare = { name: '', password: '', segment_id: '', origins: '', has_badge: false }

function ShareForm({ onMade }: { onMade: (made: Made) => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm(noShare, async ({ name, password, segment_id, origins, has_badge }) => {
    const made = await createShare(property.id, {
      name: name.trim(),
      ...(password !== '' && { password }),
      ...(segment_id !== '' && { segment_id }),
      ...(origins.trim() !== '' && { origins: linesOf(origins) }),
      has_badge,
    }).catch((error: unknown) => {
      throw spokenByLine(error, { origins: linesOf(origins) })
    })
    onMade(made)
    await client.invalidateQueries({ queryKey: ['shares', property.id] })
  })
  return (
    <Form form={form} action={text.make}>
      <TextField
        label={text.name}
        placeholder={text.namePlaceholder}
        hint={text.nameHint}
        autoComplete="off"
        {...form.field('name')}
      />
      <SegmentChoice {...form.field('segment_id')} />
      <TextField
        type="password"
        autoComplete="new-password"
        label={text.password}
        hint={text.passwordHint}
        {...form.field('password')}
      />
      <TextArea
        label={text.origins}
        hint={text.originsHint}
        placeholder={text.originsPlaceholder}
        rows={2}
        spellCheck={false}
        {...form.field('origins')}
      />
      <Checkbox
        label={text.badge}
        hint={text.badgeHint}
        isOn={form.values.has_badge}
        onChange={(has_badge) => form.set({ has_badge })}
      />
    </Form>
  )
}

/** Left out where there is no segment for everybody. */
function SegmentChoice(field: Omit<SelectProps, 'label' | 'options'>) {
  const property = useProperty()
  const segments = useQuery({
    queryKey: ['segments', property.id],
    queryFn: ({ signal }) => listSegments(property.id, signal),
  })
  const common = segments.data?.segments.filter(({ is_personal: isPersonal }) => !isPersonal) ?? []
  if (common.length === 0) return null
  const options = [{ value: '', label: text.everything }, ...common.map(({ id, name }) => ({ value: id, label: name }))]
  return <Select label={text.shows} hint={text.showsHint} options={options} {...field} />
}
