// From a page to the guide that explains it, in the documentation of this service.
import { CircleQuestionMark } from 'lucide-react'
import { useLocation } from 'wouter'
import { guideOf } from '../guides.ts'
import { apiPath } from '../place.ts'
import { common as text } from '../texts/index.ts'
import styles from './panel.module.css'

export function GuideLink() {
  const [path] = useLocation()
  const guide = guideOf(path)
  if (guide === undefined) return null
  return (
    <a
      href={`${apiPath}/docs${guide && `/${guide}`}`}
      target="_blank"
      rel="noopener"
      aria-label={text.guide}
      title={text.guide}
      className={styles.guide}
    >
      <CircleQuestionMark aria-hidden="true" />
    </a>
  )
}
