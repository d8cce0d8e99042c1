// A mark beside the name of a property with sample data; for people who may remove it, a link to do so.
import { Link } from 'wouter'
import { Badge } from '../parts/marks.tsx'
import { Tooltip } from '../parts/tooltip.tsx'
import { shell as text } from '../texts/index.ts'
import styles from './sample-mark.module.css'

export interface SampleMarkProps {
  readonly propertyId: string
  /** Owners of the installation alone. */
  readonly canRemove: boolean
}

export function SampleMark({ propertyId, canRemove }: SampleMarkProps) {
  const mark = <Badge tone="warn">{text.sample}</Badge>
  return (
    <Tooltip words={canRemove ? text.sampleRemove : text.sampleHint} align="start">
      {canRemove ? (
        <Link href={`/properties/${propertyId}/settings/data`} className={styles.link}>
          {mark}
        </Link>
      ) : (
        mark
      )}
    </Tooltip>
  )
}
