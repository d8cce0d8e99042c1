// The property switcher: a menu, with a search once there are many, and the keys 1 to 9 and 0 for the first
// ten.
import { ChevronsUpDown } from 'lucide-react'
import { lazy } from 'react'
import { useLocation } from 'wouter'
import type { MyProperty } from '../api/session.ts'
import { useKeys } from '../keys.ts'
import { soon } from '../later.ts'
import { Avatar } from '../parts/marks.tsx'
import { Popover } from '../parts/popover.tsx'
import { common, shell as text } from '../texts/index.ts'
import { Mark } from './mark.tsx'
import { keyOf } from './switcher-keys.ts'
import styles from './switcher.module.css'

export interface PropertySwitcherProps {
  readonly properties: readonly MyProperty[]
  readonly current: Pick<MyProperty, 'id' | 'name'> | undefined
  readonly canAdd: boolean
  /** The same page of the other property is shown. */
  readonly page: string | undefined
}

const Choices = lazy(soon(async () => ({ default: (await import('./switcher-choices.tsx')).Choices })))

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
      {(close, settle) => (
        <Choices
          properties={properties}
          current={current?.id}
          canAdd={canAdd}
          hrefOf={hrefOf}
          onChoose={close}
          onReady={settle}
        />
      )}
    </Popover>
  )
}
