// A preview card about as a chat shows it, but without the picture: the dashboard loads nothing from
// elsewhere.
import { ImageIcon } from 'lucide-react'
import type { LinkCard } from '../../api/links.ts'
import styles from './links.module.css'

interface PreviewCardProps {
  readonly card: LinkCard
  readonly shortUrl: string
}

export function PreviewCard({ card: { title, description, image_url }, shortUrl }: PreviewCardProps) {
  return (
    <div className={styles.card}>
      {image_url !== null && image_url !== '' && (
        <span className={styles.cardImage}>
          <ImageIcon aria-hidden="true" />
          <span>{image_url}</span>
        </span>
      )}
      <span className={styles.small}>{new URL(shortUrl).host}</span>
      <strong>{title}</strong>
      {description !== null && description !== '' && <span>{description}</span>}
    </div>
  )
}
