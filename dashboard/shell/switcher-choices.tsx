// What the property switcher lists. Loaded when it may be needed: at first the button is all that is seen.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LayoutGrid, Plus } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import { findProperties } from '../api/properties.ts'
import { MOST_LISTED, type MyProperty } from '../api/session.ts'
import { SearchField } from '../parts/fields.tsx'
import { Avatar, Key } from '../parts/marks.tsx'
import { shell as text } from '../texts/index.ts'
import { useSettled } from '../typed.ts'
import { keyOf } from './switcher-keys.ts'
import styles from './switcher.module.css'

const MANY = 8

type Choice = Pick<MyProperty, 'id' | 'name'>

/** Those that are known by now, until the service has said which there are. */
function useFound(properties: readonly MyProperty[], search: string): readonly Choice[] {
  const wanted = useSettled(search)
  const isPartial = properties.length >= MOST_LISTED && wanted !== ''
  const { data } = useQuery({
    queryKey: ['properties', wanted],
    queryFn: ({ signal }) => findProperties(wanted, signal),
    enabled: isPartial,
    placeholderData: keepPreviousData,
  })
  const known = properties.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  return isPartial && search !== '' ? (data?.data ?? known) : known
}

export interface ChoicesProps {
  readonly properties: readonly MyProperty[]
  readonly current: string | undefined
  readonly canAdd: boolean
  readonly hrefOf: (id: string) => string
  readonly onChoose: () => void
  /** It is shown now: the focus can go to it. */
  readonly onReady: () => void
}

export function Choices({ properties, current, canAdd, hrefOf, onChoose, onReady }: ChoicesProps) {
  useLayoutEffect(onReady, [onReady])
  const [search, setSearch] = useState('')
  const shown = useFound(properties, search.trim())
  return (
    <>
      {properties.length > MANY && (
        <SearchField
          label={text.findProperty}
          value={search}
          onChange={setSearch}
          className={styles.search}
          autoFocus
        />
      )}
      <ul>
        {shown.map((property) => {
          const key = keyOf(properties.findIndex(({ id }) => id === property.id))
          return (
            <li key={property.id}>
              <Link
                href={hrefOf(property.id)}
                className={styles.choice}
                aria-current={property.id === current}
                onClick={onChoose}
              >
                <Avatar name={property.name} isSquare />
                <span className={styles.name}>{property.name}</span>
                {key !== undefined && <Key>{key}</Key>}
              </Link>
            </li>
          )
        })}
      </ul>
      {shown.length === 0 && properties.length > 0 && <p className={styles.none}>{text.noProperty}</p>}
      {properties.length > 1 && (
        <Link href="/" className={styles.add} onClick={onChoose}>
          <LayoutGrid aria-hidden="true" />
          {text.allProperties}
        </Link>
      )}
      {canAdd && (
        <Link href="/new" className={styles.add} onClick={onChoose}>
          <Plus aria-hidden="true" />
          {text.newProperty}
        </Link>
      )}
    </>
  )
}
