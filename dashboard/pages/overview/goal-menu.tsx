// Chooses the goal whose figures the overview shows, and which visit of a contact they are credited to.
import { ChevronDown, Target } from 'lucide-react'
import { attributions, type Overview } from '../../api/overview.ts'
import { Menu, type MenuItem } from '../../parts/popover.tsx'
import { usePropertyPath } from '../../session.tsx'
import { overview as text } from '../../texts/index.ts'
import { useCarriedSearch } from '../../window.ts'
import styles from './header.module.css'
import type { SetView, View } from './view.ts'

interface GoalMenuProps {
  readonly overview: Overview | undefined
  readonly view: View
  readonly setView: SetView
}

/** The goals that were met most; all of them are on their own page. */
export function GoalMenu({ overview, view, setView }: GoalMenuProps) {
  const path = usePropertyPath()
  const search = useCarriedSearch()
  const goals = overview?.outcomes.conversions ?? []
  if (goals.length === 0 && view.goal === null) return null
  const chosen = overview?.goal
  const button = (
    <>
      <Target aria-hidden="true" />
      <span className="visually-hidden">{text.goal.label}: </span>
      <span className={styles.words}>{view.goal === null ? text.goal.label : (chosen?.name ?? text.goal.label)}</span>
      <ChevronDown aria-hidden="true" />
    </>
  )
  const isListed = chosen === undefined || goals.some(({ id }) => id === chosen.id)
  const items: MenuItem[] = [
    { label: text.goal.none, isChosen: view.goal === null, onSelect: () => setView(withoutGoal) },
    ...(isListed ? goals : [...goals, chosen]).map(({ id, name }, index) => ({
      label: name,
      startsGroup: index === 0,
      isChosen: view.goal === id,
      onSelect: () => setView({ goal: id, metric: 'conversions' }),
    })),
    ...attributions.map((credit, index) => ({
      label: text.goal.credit[credit],
      startsGroup: index === 0,
      isChosen: view.credit === credit,
      isDisabled: view.goal === null,
      onSelect: () => setView({ credit }),
    })),
    { label: text.goal.all, startsGroup: true, href: path('/goals') + search },
  ]
  return <Menu button={button} align="end" items={items} />
}

const withoutGoal = { goal: null, metric: 'sessions' } as const
