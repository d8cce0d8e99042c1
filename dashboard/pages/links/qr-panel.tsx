// The QR code of a link in the look of the property, and a dialog that changes it before it is downloaded.
import { useQuery } from '@tanstack/react-query'
import { Palette } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Link } from '../../api/links.ts'
import { type QrFormat, qrUrl, readQrLook } from '../../api/qr.ts'
import { later } from '../../later.ts'
import { Button, FileButton } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { flagParam, useUrlState } from '../../url.ts'
import { qrFormats, qrLookKey } from './links.ts'
import styles from './links.module.css'

const QrDialog = lazy(later(() => import('./qr-dialog.tsx')))
const codecs = { qr: flagParam }

export function QrPanel({ link }: { link: Link }) {
  const property = useProperty()
  const [{ qr: isOpen }, setState] = useUrlState<{ qr: boolean }>(codecs)
  const look = useQuery({
    queryKey: qrLookKey(property.id),
    queryFn: ({ signal }) => readQrLook(property.id, signal),
  })
  const urlOf = (format: QrFormat): string => qrUrl(property.id, link.id, format, look.data?.look)
  return (
    <Panel title={text.qr.title}>
      <div className={styles.qr}>
        <img src={urlOf('svg')} alt={text.qr.picture(link.short_url)} width={160} height={160} />
        <div className={styles.badges}>
          {qrFormats.map((format) => (
            <FileButton key={format} size="small" label={text.qr.downloads[format]} href={urlOf(format)}>
              {text.qr.formats[format]}
            </FileButton>
          ))}
        </div>
        <Button size="small" icon={<Palette aria-hidden="true" />} onClick={() => setState({ qr: true })}>
          {text.qr.customise}
        </Button>
      </div>
      {isOpen && look.data && (
        <Suspense>
          <QrDialog link={link} own={look.data} onClose={() => setState({ qr: false }, { replace: true })} />
        </Suspense>
      )}
    </Panel>
  )
}
