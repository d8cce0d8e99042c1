// A QR code that is changed while it is looked at, with a warning where cameras would fail.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, ImagePlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { colorShape, MAX_QR_MARGIN, qrFaults, type QrLevel, qrLevels, type QrLook } from '../../../server/qr/look.ts'
import type { Link } from '../../api/links.ts'
import { type PropertyLook, qrUrl, saveQrLogo, saveQrLook } from '../../api/qr.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button, FileButton } from '../../parts/button.tsx'
import { ChooseFileButton } from '../../parts/choose-file.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, Select, TextField } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { Note } from '../../parts/states.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useSettled } from '../../typed.ts'
import { qrFormats, qrLookKey } from './links.ts'
import { logoOf } from './logo-file.ts'
import styles from './links.module.css'

const words = text.qr
const margins = Array.from({ length: MAX_QR_MARGIN + 1 }, (_, margin) => String(margin))

interface QrDialogProps {
  readonly link: Link
  readonly own: PropertyLook
  readonly onClose: () => void
}

export default function QrDialog({ link, own, onClose }: QrDialogProps) {
  const property = useProperty()
  const client = useQueryClient()
  const [look, setLook] = useState<QrLook>(own.look)
  const keep = (saved: PropertyLook): void => void client.setQueryData(qrLookKey(property.id), saved)
  // A colour is chosen by moving over many.
  const shown = JSON.parse(useSettled(JSON.stringify(look))) as QrLook
  return (
    <Dialog title={words.customise} onClose={onClose} actions={<Actions link={link} look={look} keep={keep} />}>
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
        <LogoFields look={look} own={own} set={(hasLogo) => setLook((known) => ({ ...known, hasLogo }))} keep={keep} />
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

interface ActionsProps {
  readonly link: Link
  readonly look: QrLook
  readonly keep: (saved: PropertyLook) => void
}

function Actions({ link, look, keep }: ActionsProps) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const save = useMutation({
    mutationFn: () => saveQrLook(property.id, look),
    onSuccess: (saved) => {
      keep(saved)
      toast(words.saved)
    },
    onError: toastError,
  })
  return (
    <>
      {canEdit && (
        <Button look="quiet" isBusy={save.isPending} onClick={() => save.mutate()}>
          {words.save}
        </Button>
      )}
      {qrFormats.map((format) => (
        <FileButton
          key={format}
          look={format === 'png' ? 'primary' : 'plain'}
          icon={<Download aria-hidden="true" />}
          label={words.downloads[format]}
          href={qrUrl(property.id, link.id, format, look)}
        >
          {words.formats[format]}
        </FileButton>
      ))}
    </>
  )
}

interface LogoFieldsProps {
  readonly look: QrLook
  readonly own: PropertyLook
  readonly set: (hasLogo: boolean) => void
  readonly keep: (saved: PropertyLook) => void
}

/** The logo is the property's: it is stored as soon as it is chosen. */
function LogoFields({ look, own, set, keep }: LogoFieldsProps) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const logo = useMutation({
    mutationFn: async (file: File | null) =>
      saveQrLogo(
        property.id,
        file &&
          (await logoOf(file).catch(() => {
            throw new Error(words.noPicture)
          })),
      ),
    onSuccess: (saved) => {
      keep(saved)
      set(saved.isLogoThere)
    },
    onError: toastError,
  })
  return (
    <>
      {own.isLogoThere && (
        <Checkbox label={words.withLogo} hint={words.logoHint} isOn={look.hasLogo} onChange={set} errors={[]} />
      )}
      {canEdit && (
        <div className={styles.badges}>
          <ChooseFileButton
            size="small"
            icon={<ImagePlus aria-hidden="true" />}
            label={words.logoFile}
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            onFile={(file) => logo.mutate(file)}
          >
            {own.isLogoThere ? words.otherLogo : words.addLogo}
          </ChooseFileButton>
          {own.isLogoThere && (
            <Button
              size="small"
              look="quiet"
              icon={<Trash2 aria-hidden="true" />}
              isBusy={logo.isPending}
              onClick={() => logo.mutate(null)}
            >
              {words.removeLogo}
            </Button>
          )}
        </div>
      )}
    </>
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
          value={look.hasLogo ? 'H' : look.level}
          disabled={look.hasLogo}
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
