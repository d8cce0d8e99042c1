// Small marks inside of text and rows: pills, badges, dots, initials, flags, times.
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { apiPath } from '../place.ts'
import { ago, countryName, dateTime } from '../format.ts'
import { common as text } from '../texts/index.ts'
import { Address } from './address.tsx'
import { cx } from './cx.ts'
import styles from './marks.module.css'

export type Tone = 'plain' | 'accent' | 'good' | 'bad' | 'warn'

/** A word about a state. */
export const Badge = ({ tone = 'plain', children }: { tone?: Tone | undefined; children: ReactNode }) => (
  <span className={cx(styles.badge, styles[tone])}>{children}</span>
)

/** A state as a dot, always with its word. */
export const StatusDot = ({
  tone = 'plain',
  children,
  isLive = false,
}: {
  tone?: Tone | undefined
  isLive?: boolean
  children?: ReactNode
}) => (
  <span className={styles.status}>
    <span className={cx(styles.dot, styles[`dot-${tone}`], isLive && styles.live)} aria-hidden="true" />
    {children}
  </span>
)

export interface PillProps {
  readonly children: ReactNode
  readonly onClick?: (() => void) | undefined
  readonly onRemove?: (() => void) | undefined
  readonly removeLabel?: string | undefined
}

/** Something that was chosen and can be taken away again. */
export function Pill({ children, onClick, onRemove, removeLabel = text.actions.remove }: PillProps) {
  return (
    <span className={styles.pill}>
      {onClick ? (
        <button type="button" className={styles.pillWords} onClick={onClick}>
          {children}
        </button>
      ) : (
        <span className={styles.pillWords}>{children}</span>
      )}
      {onRemove && (
        <button type="button" className={styles.pillRemove} aria-label={removeLabel} onClick={onRemove}>
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  )
}

const initialsOf = (name: string): string =>
  name
    .split(/[\s@.]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')

/** Letters for a person or a property; the name itself stands beside it. */
export const Avatar = ({ name, isSquare = false }: { name: string; isSquare?: boolean }) => (
  <span className={cx(styles.avatar, isSquare && styles.square)} aria-hidden="true">
    {initialsOf(name) || '?'}
  </span>
)

/** The flag of a country, from this server; the two letters of one that has none, and until it is there. */
export function Flag({ code }: { code: string | null | undefined }) {
  const [missing, setMissing] = useState<string>()
  if (!code || !/^[a-z]{2}$/i.test(code)) return <span className={styles.flag} aria-hidden="true" />
  const own = code.toLowerCase()
  if (missing === own)
    return (
      <span className={styles.flag} aria-hidden="true">
        {code.toUpperCase()}
      </span>
    )
  return (
    <img
      src={`${apiPath}/icons/flags/${own}.svg`}
      alt=""
      width={18}
      height={12}
      loading="lazy"
      className={styles.nation}
      onError={() => setMissing(own)}
    />
  )
}

export const Country = ({ code }: { code: string }) => (
  <span className={styles.status}>
    <Flag code={code} /> {countryName(code)}
  </span>
)

/** A picture of the service (`icon_url` of its answers): nothing of it comes from elsewhere. */
export function Icon({ url }: { url: string | null | undefined }) {
  if (!url) return null
  const path = url.startsWith('/') ? apiPath + url : new URL(url, location.href).pathname
  return <img src={path} alt="" width={16} height={16} loading="lazy" className={styles.picture} />
}

/** The logo of a browser or a system; its first letter where no package has one. */
export const Logo = ({ kind, name }: { kind: 'browsers' | 'systems'; name: string }) => (
  <Icon url={`/icons/${kind}/${encodeURIComponent(name)}.svg`} />
)

/** “3 minutes ago”; the time itself on hover. */
export function RelativeTime({ ts }: { ts: number | null | undefined }) {
  if (ts === null || ts === undefined || ts === 0) return <span className={styles.soft}>{text.time.never}</span>
  return (
    <time dateTime={new Date(ts * 1000).toISOString()} title={dateTime(ts)}>
      {ago(ts)}
    </time>
  )
}

/** 0 to 1; undefined: nobody knows how far. */
export function Progress({ value, label }: { value?: number | undefined; label: string }) {
  return <progress className={styles.progress} max={1} value={value} aria-label={label} />
}

export const Key = ({ children }: { children: ReactNode }) => <kbd className={styles.key}>{children}</kbd>

/** A collected web address: a link only when it is http or https, and without a referrer. */
export function OutsideLink({ url, children }: { url: string; children?: ReactNode }) {
  const shown = children ?? <Address address={url} />
  if (!/^https?:\/\//i.test(url)) return <span>{shown}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  )
}
