// The way back to the list, over the title of a page behind it.
import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import { usePropertyPath } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import styles from './up.module.css'

export function Up() {
  const path = usePropertyPath()
  return (
    <Link href={path('/contacts')} className={styles.up}>
      <ArrowLeft aria-hidden="true" /> {text.one.back}
    </Link>
  )
}
