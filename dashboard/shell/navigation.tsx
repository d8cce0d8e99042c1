// The pages of a property at the side, in groups. On other pages, a link back to the last property and its
// pages.
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useId } from 'react'
import { Link, useLocation } from 'wouter'
import { MOST_LISTED, type MyProperty } from '../api/session.ts'
import { useKeys } from '../keys.ts'
import { lastProperty } from '../last.ts'
import { preload } from '../pages.ts'
import { type CurrentProperty, detailsOf } from '../session.tsx'
import { common, shell as text } from '../texts/index.ts'
import { useCarriedSearch } from '../window.ts'
import styles from './navigation.module.css'
import { groupsFor, hrefOfPlace, placeOf } from './places.tsx'

export interface NavigationProps {
  readonly property: Pick<CurrentProperty, 'id' | 'isShared' | 'isDemo'>
  /** Undefined where none of its pages is shown. */
  readonly page?: string | undefined
  /** Of what says whose pages these are, when the switcher above does not. */
  readonly labelledBy?: string | undefined
}

export function Navigation({ property, page, labelledBy }: NavigationProps) {
  const search = useCarriedSearch()
  const [, navigate] = useLocation()
  const groups = groupsFor(property)
  useKeys(
    groups
      .flatMap(({ places }) => places)
      .map((place) => ({
        key: `g ${place.key}`,
        label: text.pages[place.id],
        group: common.keys.goTo,
        run: () => navigate(hrefOfPlace(place, property.id, search)),
      })),
  )
  return (
    <div className={styles.groups} role="group" aria-labelledby={labelledBy}>
      {groups.map(({ id, places }) => (
        <ul key={id} className={styles.pages} aria-label={text.groups[id]}>
          {places.map((place) => (
            <li key={place.id}>
              <Link
                href={hrefOfPlace(place, property.id, search)}
                aria-current={placeOf(page) === place.id ? 'page' : undefined}
                onPointerEnter={() => preload(place.id)}
                onFocus={() => preload(place.id)}
                className={styles.item}
              >
                {place.icon}
                {text.pages[place.id]}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </div>
  )
}

/** The one whose pages were shown last in this browser, if it is there still. */
function useLastProperty(properties: readonly MyProperty[]): Pick<MyProperty, 'id' | 'name'> | undefined {
  const id = lastProperty() ?? ''
  const known = properties.find((property) => property.id === id)
  const isUnlisted = id !== '' && !known && properties.length >= MOST_LISTED
  const details = useQuery({ ...detailsOf(id), enabled: isUnlisted })
  return known ?? (isUnlisted ? details.data?.property : undefined)
}

/** For pages of no property: it says where the links lead, and that the page is not there. */
export function WayBack({ properties }: { properties: readonly MyProperty[] }) {
  const label = useId()
  const property = useLastProperty(properties)
  if (property)
    return (
      <>
        <p id={label} className={styles.whose}>
          {text.backTo(property.name)}
        </p>
        <Navigation property={{ id: property.id, isShared: false }} labelledBy={label} />
      </>
    )
  if (properties.length === 0) return null
  return (
    <Link href="/" className={styles.item}>
      <ArrowLeft />
      {common.notFound.back}
    </Link>
  )
}
