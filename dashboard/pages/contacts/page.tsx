// Contacts: the list at the page's own address, behind it one of them, or the import of a file.
import { lazy } from 'react'
import type { PageProps } from '../../app.tsx'
import { later } from '../../later.ts'
import { ContactList } from './list.tsx'

const ContactPage = lazy(later(() => import('./contact.tsx')))
const ImportPage = lazy(later(() => import('./import.tsx')))

export default function ContactsPage({ rest: [named] }: PageProps) {
  if (named === undefined) return <ContactList />
  if (named === 'import') return <ImportPage />
  return <ContactPage key={named} id={named} />
}
