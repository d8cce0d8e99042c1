// Notes on the graph: marks on its baseline that say what happened then; admins pin, change and remove them.
import { MessageSquare } from 'lucide-react'
import type { Annotation } from '../../api/overview.ts'
import { dateTime, number } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Popover } from '../../parts/popover.tsx'
import { useCan } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import styles from './notes.module.css'
import type { SetView } from './view.ts'

/** At one place of the graph, or at neighbouring ones that are too close for a mark each. */
export function NoteMark({ notes, setView }: { notes: readonly Annotation[]; setView: SetView }) {
  const canNote = useCan('admin')
  const label = `${text.graph.noteCount(notes.length)}: ${notes.map((note) => note.text).join('; ')}`
  return (
    <Popover
      button={
        <>
          <MessageSquare aria-hidden="true" />
          {notes.length > 1 && <span>{number(notes.length)}</span>}
        </>
      }
      label={label}
      buttonClass={styles.mark}
      align="center"
      className={styles.notes}
    >
      {(close) => (
        <ul>
          {notes.map((note) => (
            <li key={note.id}>
              <p>{note.text}</p>
              <div className={styles.foot}>
                <span>{dateTime(note.ts)}</span>
                {canNote && (
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() => {
                      close()
                      setView({ note: note.id })
                    }}
                  >
                    {common.actions.edit}
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}
