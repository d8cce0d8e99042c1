// Shown instead of content: skeletons of its size while loading, empty states, errors, missing permission.
import { CircleAlert, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { common as text } from '../texts/index.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import styles from './states.module.css'

export interface SkeletonProps {
  /** CSS lengths. */
  readonly width?: string | undefined
  readonly height?: string | undefined
  readonly className?: string | undefined
}

export const Skeleton = ({ width = '100%', height = '1em', className }: SkeletonProps) => (
  <span className={cx(styles.skeleton, className)} style={{ width, height }} aria-hidden="true" />
)

/** Lines of text that are on their way. */
export function SkeletonLines({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.lines} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </div>
  )
}

export interface StateProps {
  readonly icon?: ReactNode
  readonly title: ReactNode
  /** What to do next. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** Inside of a panel: less space around. */
  readonly isSmall?: boolean | undefined
}

/** An empty place says what will be here, and what to do for it. */
export function EmptyState({ icon, title, children, actions, isSmall = false }: StateProps) {
  return (
    <div className={cx(styles.state, isSmall && styles.stateSmall)}>
      {icon !== undefined && <div className={styles.icon}>{icon}</div>}
      <div className={styles.title}>{title}</div>
      {children !== undefined && <div className={styles.words}>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: (() => unknown) | undefined
  readonly isSmall?: boolean | undefined
}

/** Shows the result of a query, its skeleton, or its error: 403 and 404 have words of their own. */
export function ErrorState({ error, onRetry, isSmall }: ErrorStateProps) {
  if (error instanceof ApiError && error.status === 403) return <NoPermission isSmall={isSmall} words={error.message} />
  const isMissing = error instanceof ApiError && error.status === 404
  const message = error instanceof Error ? error.message : text.errors.unknown
  return (
    <div role="alert">
      <EmptyState
        icon={<CircleAlert />}
        title={isMissing ? text.notFound.title : text.errors.title}
        isSmall={isSmall}
        actions={onRetry && !isMissing && <Button onClick={() => onRetry()}>{text.errors.retry}</Button>}
      >
        {isMissing ? text.notFound.hint : message}
      </EmptyState>
    </div>
  )
}

export function NoPermission({ words, isSmall }: { words?: ReactNode; isSmall?: boolean | undefined }) {
  return (
    <EmptyState icon={<Lock />} title={text.noPermission.title} isSmall={isSmall}>
      {words}
    </EmptyState>
  )
}

type Tone = 'bad' | 'warn' | 'good' | 'plain'

/** A sentence that has to be seen, inside of something else. */
export function Note({ tone = 'plain', children, icon }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <div className={cx(styles.note, styles[tone])}>
      {icon}
      <div>{children}</div>
    </div>
  )
}

export const ErrorNote = ({ children }: { children: ReactNode }) => (
  <div role="alert">
    <Note tone="bad" icon={<CircleAlert aria-hidden="true" />}>
      {children}
    </Note>
  </div>
)

export interface LoadedProps<Answer> {
  readonly query: {
    readonly data: Answer | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  /** Of the size of what follows. */
  readonly skeleton: ReactNode
  readonly children: (answer: Answer) => ReactNode
}

/** A query's three ends: what it answered, why it did not, or the shape of what is coming. */
export function Loaded<Answer>({ query, skeleton, children }: LoadedProps<Answer>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorState error={query.error} onRetry={query.refetch} />
  return <div aria-busy="true">{skeleton}</div>
}
