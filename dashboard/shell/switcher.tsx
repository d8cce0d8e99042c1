// The property switcher: a menu, with a search once there are many, and the keys 1 to 9 and 0 for the first
// ten.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { findProperties } from '../api/properties.ts'
import { MOST_LISTED, type MyProperty } from '../api/session.ts'
import { useKeys } from '../keys.ts'
import { SearchField } from '../parts/fields.tsx'
import { Avatar, Key } from '../parts/marks.tsx'
import { Popover } from '../parts/popover.tsx'
import { common, shell as text } from '../texts/index.ts'
import { useSettled } from '../typed.ts'
import { Mark } from './mark.tsx'
import styles from './switcher.module.css'

export interface PropertySwitcherProps {
  readonly properties: readonly MyProperty[]
  readonly current: Pick<MyProperty, 'id' | 'name'> | undefined
  readonly canAdd: boolean
  /** The same page of the other property is shown. */
  readonly page: string | undefined
}

const MANY = 8
const keyOf = (index: number): string | undefined => (index >= 0 && index < 10 ? String((index + 1) % 10) : undefined)
const stays = new Set([
  'live',
  'sessions',
  'goals',
  'contacts',
  'links',
  'forms',
  'automations',
  'content',
  'bots',
  'settings',
])

export function PropertySwitcher({ properties, current, canAdd, page = '' }: PropertySwitcherProps) {
  const [, navigate] = useLocation()
  const hrefOf = (id: string): string => `/properties/${id}${stays.has(page) ? `/${page}` : ''}`
  useKeys(
    properties.slice(0, 10).map(({ id, name }, index) => ({
      key: keyOf(index) ?? '',
      label: common.keys.property(name),
      group: common.keys.properties,
      run: () => navigate(hrefOf(id)),
    })),
  )
  const button = (
    <>
      {current && <Avatar name={current.name} isSquare />}
      <span className={styles.name}>
        <span className="visually-hidden">{text.switcher}: </span>
        {current ? current.name : <Mark />}
      </span>
      <ChevronsUpDown aria-hidden="true" />
    </>
  )
  return (
    <Popover button={button} buttonClass={styles.button} className={styles.panel}>
      {(close) => (
        <Choices properties={properties} current={current?.id} canAdd={canAdd} hrefOf={hrefOf} onChoose={close} />
      )}
    </Popover>
  )
}

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

interface ChoicesProps {
  readonly properties: readonly MyProperty[]
  readonly current: string | undefined
  readonly canAdd: boolean
  readonly hrefOf: (id: string) => string
  readonly onChoose: () => void
}

function Choices({ properties, current, canAdd, hrefOf, onChoose }: ChoicesProps) {
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
      {canAdd && (
        <Link href="/new" className={styles.add} onClick={onChoose}>
          <Plus aria-hidden="true" />
          {text.newProperty}
        </Link>
      )}
    </>
  )
}
