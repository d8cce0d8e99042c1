// What begins a link or a group; which of them is open is in the URL.
import { Plus } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { useCan } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { flagParam, textParam, useUrlState } from '../../url.ts'

export type Chosen = 'links' | 'groups'

export interface NewState {
  readonly new: boolean
  /** The group that is looked at; '' for all. */
  readonly group: string
}

export const codecs = { new: flagParam, group: textParam }

export function AddButton({ chosen }: { chosen: Chosen }) {
  const canEdit = useCan('admin')
  const [, setState] = useUrlState<NewState>(codecs)
  if (!canEdit) return null
  return (
    // Of links, the main button is that of the quick creation.
    <Button
      look={chosen === 'links' ? 'plain' : 'primary'}
      icon={<Plus aria-hidden="true" />}
      onClick={() => setState({ new: true })}
    >
      {text[chosen === 'links' ? 'list' : 'groups'].add}
    </Button>
  )
}
