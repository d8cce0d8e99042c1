// A QR code that is changed while it is looked at, with a warning where cameras would fail.
import { Download } from 'lucide-react'
import { useState } from 'react'
import {
  colorShape,
  MAX_QR_MARGIN,
  plainLook,
  qrFaults,
  type QrLevel,
  qrLevels,
  type QrLook,
} from '../../../server/links/qr-look.ts'
import { type Link, qrUrl } from '../../api/links.ts'
import { FileButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Select, TextField } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { Note } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useSettled } from '../../typed.ts'
import styles from './links.module.css'

const words = text.qr
const margins = Array.from({ length: MAX_QR_MARGIN + 1 }, (_, margin) => String(margin))

export default function QrDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const property = useProperty()
  const [look, setLook] = useState<QrLook>(plainLook)
  // A colour is chosen by moving over many.
  const shown = JSON.parse(useSettled(JSON.stringify(look))) as QrLook
  const icon = <Download aria-hidden="true" />
  return (
    <Dialog
      title={words.customise}
      onClose={onClose}
      actions={
        <>
          <FileButton icon={icon} label={words.svgLabel} href={qrUrl(property.id, link.id, 'svg', look)}>
            {words.svg}
          </FileButton>
          <FileButton look="primary" icon={icon} label={words.pngLabel} href={qrUrl(property.id, link.id, 'png', look)}>
            {words.png}
          </FileButton>
        </>
      }
    >
      <div className={styles.many}>
        <div className={styles.qr}>
          <img
            src={qrUrl(property.id, link.id, 'svg', shown)}
            alt={words.picture(link.short_url)}
            width={160}
            height={160}
          />
        </div>
        <LookFields look={look} set={(patch) => setLook((known) => ({ ...known, ...patch }))} />
        <div aria-live="polite">
          {qrFaults(look).map((fault) => (
            <Note key={fault} tone="warn">
              {words.faults[fault]}
            </Note>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

function LookFields({ look, set }: { look: QrLook; set: (patch: Partial<QrLook>) => void }) {
  return (
    <>
      <FormRow>
        <ColorField label={words.color} value={look.color} onChange={(color) => set({ color })} />
        <ColorField label={words.background} value={look.background} onChange={(background) => set({ background })} />
      </FormRow>
      <FormRow>
        <Select
          label={words.margin}
          value={String(look.margin)}
          onChange={(margin) => set({ margin: Number(margin) })}
          options={margins.map((value) => ({ value, label: value }))}
        />
        <Select
          label={words.level}
          value={look.level}
          onChange={(level) => set({ level: level as QrLevel })}
          options={qrLevels.map((value) => ({ value, label: words.levels[value] }))}
        />
      </FormRow>
    </>
  )
}

interface ColorFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (color: string) => void
}

function ColorField({ label, value, onChange }: ColorFieldProps) {
  const change = (color: string): void => {
    if (colorShape.test(color)) onChange(color.toLowerCase())
  }
  return <TextField label={label} type="color" value={value} onChange={change} />
}
