// Which days the window is compared with.
import { Dialog } from '../../parts/dialog.tsx'
import { RangeForm } from '../../parts/range-form.tsx'
import { overview as text } from '../../texts/index.ts'
import type { SetView, View } from './view.ts'

interface CompareDialogProps {
  readonly view: Pick<View, 'compare_from' | 'compare_to'>
  readonly setView: SetView
  readonly onClose: () => void
}

export function CompareDialog({ view, setView, onClose }: CompareDialogProps) {
  return (
    <Dialog size="small" title={text.compare.title} onClose={onClose}>
      <RangeForm
        from={view.compare_from ?? ''}
        to={view.compare_to ?? ''}
        apply={text.compare.apply}
        onRange={(from, to) => {
          setView({ compare: 'custom', compare_from: from, compare_to: to })
          onClose()
        }}
      />
    </Dialog>
  )
}
