// Another link, or another group, chosen to be shown beside the one that is looked at.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { type LinkOwner, listLinks } from '../../api/links.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Pill } from '../../parts/marks.tsx'
import { useProperty } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import { useSettled } from '../../typed.ts'
import { shortName, useGroups } from './links.ts'
import styles from './links.module.css'

const words = text.results
const MOST = 8

export interface CompareProps {
  readonly owner: LinkOwner
  readonly onChoose: (id: string) => void
}

export function Compare({ owner, onChoose }: CompareProps) {
  const [isOpen, setOpen] = useState(false)
  const choose = (id: string): void => {
    setOpen(false)
    onChoose(id)
  }
  return (
    <>
      <Button icon={<GitCompareArrows aria-hidden="true" />} onClick={() => setOpen(true)}>
        {words.compare}
      </Button>
      {isOpen && owner.kind === 'link' && (
        <LinkChooser owner={owner} onChoose={choose} onClose={() => setOpen(false)} />
      )}
      {isOpen && owner.kind === 'link_group' && (
        <GroupChooser owner={owner} onChoose={choose} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

export const ComparedWith = ({ name, onStop }: { name: string; onStop: () => void }) => (
  <p className={styles.comparedWith}>
    <Pill removeLabel={words.stop} onRemove={onStop}>
      {words.with(name)}
    </Pill>
  </p>
)

interface ChooserProps extends CompareProps {
  readonly onClose: () => void
}

function LinkChooser({ owner, onChoose, onClose }: ChooserProps) {
  const property = useProperty()
  const [typed, setTyped] = useState('')
  const search = useSettled(typed.trim())
  const ask = { search, group_id: '', period: 'today', date_from: null, date_to: null, page: 1, per_page: MOST + 1 }
  const links = useQuery({
    queryKey: ['links', property.id, 'choosing', search],
    queryFn: ({ signal }) => listLinks(property.id, ask, signal),
    placeholderData: keepPreviousData,
  })
  const found = links.data?.data.map(({ id, name, short_url }) => ({
    id,
    name: name ?? shortName(short_url),
    detail: name === null ? '' : shortName(short_url),
  }))
  return (
    <Dialog title={words.compareLink} onClose={onClose} size="small">
      <SearchField label={words.search} value={typed} onChange={setTyped} />
      <Choices found={found} own={owner.id} onChoose={onChoose} />
    </Dialog>
  )
}

function GroupChooser({ owner, onChoose, onClose }: ChooserProps) {
  const [typed, setTyped] = useState('')
  const sought = typed.trim().toLowerCase()
  const groups = useGroups().data?.filter(({ name }) => name.toLowerCase().includes(sought))
  return (
    <Dialog title={words.compareGroup} onClose={onClose} size="small">
      <SearchField label={words.searchGroups} value={typed} onChange={setTyped} />
      <Choices found={groups?.map(({ id, name }) => ({ id, name, detail: '' }))} own={owner.id} onChoose={onChoose} />
    </Dialog>
  )
}

interface Choice {
  readonly id: string
  readonly name: string
  readonly detail: string
}

interface ChoicesProps {
  readonly found: readonly Choice[] | undefined
  readonly own: string
  readonly onChoose: (id: string) => void
}

function Choices({ found, own, onChoose }: ChoicesProps) {
  const others = found?.filter(({ id }) => id !== own).slice(0, MOST)
  if (others?.length === 0) return <p className={styles.small}>{words.noneFound}</p>
  return (
    <ul className={styles.choices}>
      {others?.map(({ id, name, detail }) => (
        <li key={id}>
          <button type="button" onClick={() => onChoose(id)}>
            <span>{name}</span>
            {detail !== '' && <span className={styles.small}>{detail}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
