// The surfaces of a page: its header, its cards, and tabs over them.
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { later } from '../later.ts'
import { cx } from './cx.ts'
import { useHeadingFocus } from './heading-focus.ts'
import styles from './panel.module.css'

const GuideLink = lazy(later(async () => ({ default: (await import('./guide-link.tsx')).GuideLink })))

export interface PageHeaderProps {
  readonly title: ReactNode
  /** One sentence, or figures. */
  readonly subtitle?: ReactNode
  /** Buttons; the main one last. */
  readonly actions?: ReactNode
  /** A way up, over the title. */
  readonly back?: ReactNode
  /** Everything in one row, for pages where the first number counts more than the title. */
  readonly isCompact?: boolean | undefined
}

/** The one h1 of a page. */
export function PageHeader({ title, subtitle, actions, back, isCompact = false }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useHeadingFocus(heading)
  return (
    <header className={cx(styles.pageHeader, isCompact && styles.compact)}>
      <div className={styles.pageTitles}>
        {back}
        <div className={styles.titleRow}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <Suspense fallback={<span className={styles.guide} />}>
            <GuideLink />
          </Suspense>
        </div>
        {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
      </div>
      {actions !== undefined && <div className={styles.pageActions}>{actions}</div>}
    </header>
  )
}

export interface PanelProps {
  readonly title?: ReactNode
  /** Under the title, one sentence. */
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  /** Without space at its sides, for tables and lists that bring their own. */
  readonly isFlush?: boolean | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function Panel({ title, subtitle, actions, isFlush = false, className, children }: PanelProps) {
  const id = useId()
  return (
    <section className={cx(styles.panel, className)} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles.panelHeader}>
          <div>
            <h2 id={id}>{title}</h2>
            {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
          </div>
          {actions !== undefined && <div className={styles.panelActions}>{actions}</div>}
        </header>
      )}
      <div className={cx(styles.panelContent, isFlush && styles.flush)}>{children}</div>
    </section>
  )
}

/** Panels under one another. */
export const Stack = ({ children, className }: { children: ReactNode; className?: string }) => (
  <div className={cx(styles.stack, className)}>{children}</div>
)

/** Names and values, for the details of one thing. */
export function Facts({ rows }: { rows: readonly (readonly [ReactNode, ReactNode] | false | null)[] }) {
  return (
    <dl className={styles.facts}>
      {rows
        .filter((row) => row !== false && row !== null)
        .map(([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: ReactNode
  readonly count?: ReactNode
}

export interface TabsProps<Id extends string> {
  readonly tabs: readonly Tab<Id>[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
  readonly label: string
  /** At the end of the row. */
  readonly aside?: ReactNode
  readonly isSmall?: boolean | undefined
  readonly children: ReactNode
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Where there is no room for all of them, the chosen one is in sight. */
function useChosenInSight(row: RefObject<HTMLElement | null>, chosen: string): void {
  useLayoutEffect(() => {
    const tab = row.current?.querySelector(`[id$='-${chosen}']`)
    if (!row.current || !tab) return
    const [around, own] = [row.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    row.current.scrollBy({ left: own.left + own.width / 2 - (around.left + around.width / 2) })
  }, [row, chosen])
}

/** One tab is in the order of Tab; arrows move among them. The children are the panel of the chosen one. */
export function Tabs<Id extends string>({
  tabs,
  chosen,
  onChoose,
  label,
  aside,
  isSmall = false,
  children,
}: TabsProps<Id>) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  useChosenInSight(row, chosen)
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === chosen)
    const next = steps[event.key]?.(at, tabs.length)
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab || next === undefined) return
    event.preventDefault()
    onChoose(tab.id)
    row.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div className={styles.tabs}>
      <div className={styles.tabBar}>
        <div
          ref={row}
          role="tablist"
          aria-label={label}
          className={cx(styles.tabList, isSmall && styles.tabListSmall)}
          onKeyDown={onKeyDown}
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === chosen ? 0 : -1}
              onClick={() => onChoose(tab.id)}
            >
              {tab.label}
              {tab.count !== undefined && <span className={styles.tabCount}>{tab.count}</span>}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
