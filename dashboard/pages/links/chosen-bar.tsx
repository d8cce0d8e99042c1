// What can be done with the links that are chosen: tags, group, UTM parameters, expiry, archive.
import { Archive, ArchiveRestore, CalendarClock, FolderInput, Link2, Tags, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { LinkState } from '../../api/links.ts'
import { number } from '../../format.ts'
import { useKeys } from '../../keys.ts'
import { later } from '../../later.ts'
import { toastError } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { links as text } from '../../texts/index.ts'
import { useEditLinks } from './edit-links.ts'
import styles from './links.module.css'

const words = text.edits
const ChosenDialog = lazy(later(() => import('./chosen-dialog.tsx')))

export type Asked = 'tags' | 'group' | 'utm' | 'expiry'

const asking = [
  ['tags', <Tags key="tags" aria-hidden="true" />],
  ['group', <FolderInput key="group" aria-hidden="true" />],
  ['utm', <Link2 key="utm" aria-hidden="true" />],
  ['expiry', <CalendarClock key="expiry" aria-hidden="true" />],
] as const satisfies readonly (readonly [Asked, unknown])[]

export interface ChosenBarProps {
  readonly ids: readonly string[]
  /** Of the list that they are in. */
  readonly state: LinkState
  readonly onClear: () => void
}

export function ChosenBar({ ids, state, onClear }: ChosenBarProps) {
  const edit = useEditLinks()
  const [asked, setAsked] = useState<Asked | null>(null)
  useKeys(ids.length > 0 ? [{ key: 'escape', run: onClear }] : [])
  if (ids.length === 0) return null
  const archive = (is_archived: boolean): void => void edit(ids, { is_archived }).then(onClear).catch(toastError)
  return (
    <section className={styles.chosenBar} aria-label={words.bar}>
      <strong aria-live="polite">{words.chosen(number(ids.length))}</strong>
      <div className={styles.chosenActions}>
        {asking.map(([id, icon]) => (
          <Button key={id} size="small" icon={icon} onClick={() => setAsked(id)}>
            {words.ask[id]}
          </Button>
        ))}
        {state !== 'archived' && (
          <Button size="small" icon={<Archive aria-hidden="true" />} onClick={() => archive(true)}>
            {words.archive}
          </Button>
        )}
        {state !== 'active' && (
          <Button size="small" icon={<ArchiveRestore aria-hidden="true" />} onClick={() => archive(false)}>
            {words.restore}
          </Button>
        )}
      </div>
      <IconButton label={words.clear} icon={<X />} onClick={onClear} />
      {asked && (
        <Suspense>
          <ChosenDialog
            asked={asked}
            title={`${words.ask[asked]}: ${words.chosen(number(ids.length))}`}
            onSave={(change) => edit(ids, change)}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
