// The menu of exports: its button.
import { Download } from 'lucide-react'
import { lazy } from 'react'
import type { Overview } from '../../api/overview.ts'
import { soon } from '../../later.ts'
import buttons from '../../parts/button.module.css'
import { Popover } from '../../parts/popover.tsx'
import { overview as text } from '../../texts/index.ts'
import type { View } from './view.ts'

const ExportItems = lazy(soon(async () => ({ default: (await import('./export-items.tsx')).ExportItems })))

export function ExportMenu({ overview, view }: { overview: Overview | undefined; view: View }) {
  return (
    <Popover
      button={<Download aria-hidden="true" />}
      label={text.export.label}
      buttonClass={buttons.icon}
      align="end"
      role="menu"
    >
      {(close, settle) => <ExportItems overview={overview} view={view} close={close} onReady={settle} />}
    </Popover>
  )
}
