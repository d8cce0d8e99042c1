// The QR code of a link as it is, and a dialog that changes its colours, margin and error correction before
// it is downloaded.
import { Download, Palette } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { type Link, qrUrl } from '../../api/links.ts'
import { later } from '../../later.ts'
import { Button, FileButton } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { flagParam, useUrlState } from '../../url.ts'
import styles from './links.module.css'

const QrDialog = lazy(later(() => import('./qr-dialog.tsx')))
const codecs = { qr: flagParam }

export function QrPanel({ link }: { link: Link }) {
  const property = useProperty()
  const [{ qr: isOpen }, setState] = useUrlState<{ qr: boolean }>(codecs)
  const icon = <Download aria-hidden="true" />
  return (
    <Panel title={text.qr.title}>
      <div className={styles.qr}>
        <img src={qrUrl(property.id, link.id, 'svg')} alt={text.qr.picture(link.short_url)} width={160} height={160} />
        <div className={styles.badges}>
          <FileButton size="small" icon={icon} label={text.qr.svgLabel} href={qrUrl(property.id, link.id, 'svg')}>
            {text.qr.svg}
          </FileButton>
          <FileButton size="small" icon={icon} label={text.qr.pngLabel} href={qrUrl(property.id, link.id, 'png')}>
            {text.qr.png}
          </FileButton>
        </div>
        <Button size="small" icon={<Palette aria-hidden="true" />} onClick={() => setState({ qr: true })}>
          {text.qr.customise}
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <QrDialog link={link} onClose={() => setState({ qr: false }, { replace: true })} />
        </Suspense>
      )}
    </Panel>
  )
}
