// A link that was just created: copied already, with its QR code. Which link is in the URL.
import { useQuery } from '@tanstack/react-query'
import { Check, Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Link, readLink } from '../../api/links.ts'
import { qrUrl } from '../../api/qr.ts'
import { Button, FileButton, LinkButton } from '../../parts/button.tsx'
import { Copyable, copyToClipboard } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { announce } from '../../parts/announce.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { textParam, useUrlState } from '../../url.ts'
import { linkKey, shortName } from './links.ts'
import styles from './links.module.css'

const words = text.created
const codecs = { created: textParam }

/** What opens the dialog after a creation. */
export const createdCodecs = codecs

export function CreatedDialog() {
  const [{ created }, setState] = useUrlState<{ created: string }>(codecs)
  if (created === '') return null
  return <Shown key={created} id={created} onClose={() => setState({ created: '' }, { replace: true })} />
}

function Shown({ id, onClose }: { id: string; onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const link = useQuery({
    queryKey: linkKey(property.id, id),
    queryFn: ({ signal }) => readLink(property.id, id, signal),
  })
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <LinkButton href={path(`/links/${id}`)}>{words.details}</LinkButton>
          <Button look="primary" onClick={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <Loaded query={link} skeleton={<SkeletonLines lines={5} />}>
        {({ link: loaded }) => <Created link={loaded} />}
      </Loaded>
    </Dialog>
  )
}

function Created({ link }: { link: Link }) {
  const property = useProperty()
  const [isCopied, setCopied] = useState(false)
  const { short_url: url } = link
  useEffect(() => {
    const copy = async (): Promise<void> => {
      const isDone = await copyToClipboard(url)
      setCopied(isDone)
      if (isDone) announce(words.copied)
    }
    void copy()
  }, [url])
  return (
    <div className={styles.created}>
      <img src={qrUrl(property.id, link.id, 'svg')} alt={text.qr.picture(url)} width={144} height={144} />
      <div className={styles.createdFacts}>
        <strong className={styles.shortUrl}>
          <Copyable words={shortName(url)} copies={url} label={text.list.copy} />
        </strong>
        <p className={styles.small}>{words.leads(shortName(link.destination_url))}</p>
        {isCopied && (
          <p className={styles.copied}>
            <Check aria-hidden="true" />
            {words.copied}
          </p>
        )}
        <div>
          <FileButton
            size="small"
            icon={<Download aria-hidden="true" />}
            label={text.qr.downloads.png}
            href={qrUrl(property.id, link.id, 'png')}
          >
            {words.qr}
          </FileButton>
        </div>
      </div>
    </div>
  )
}
