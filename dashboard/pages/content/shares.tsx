// How often each version of a block is shown: one bar, cut by the weights of those that are active.
import type { VersionSketch } from '../../api/content.ts'
import { percent } from '../../format.ts'
import { cx } from '../../parts/cx.ts'
import { content as text } from '../../texts/index.ts'
import styles from './content.module.css'

const words = text.versions

export type Weighed = Pick<VersionSketch, 'id' | 'label' | 'weight' | 'is_active'>

/** By id, of those that visitors can get. */
export function sharesOf(versions: readonly Weighed[]): ReadonlyMap<string, number> {
  const shown = versions.filter(({ is_active, weight }) => is_active && weight > 0)
  const sum = shown.reduce((total, { weight }) => total + weight, 0)
  return new Map(shown.map(({ id, weight }) => [id, weight / sum]))
}

const tones = [styles.tone0, styles.tone1, styles.tone2, styles.tone3]
export const toneOf = (index: number): string | undefined => tones[index % tones.length]

export function ShareBar({ versions, isSmall = false }: { versions: readonly Weighed[]; isSmall?: boolean }) {
  const shares = sharesOf(versions)
  const parts = versions.flatMap(({ id, label }, index) => {
    const share = shares.get(id)
    return share === undefined ? [] : [{ id, index, share, words: words.share(label, percent(share)) }]
  })
  if (parts.length === 0) return <div className={cx(styles.shares, isSmall && styles.sharesSmall)} />
  return (
    <div
      role="img"
      aria-label={words.shares(parts.map((part) => part.words).join(', '))}
      className={cx(styles.shares, isSmall && styles.sharesSmall)}
    >
      {parts.map((part) => (
        <span
          key={part.id}
          title={part.words}
          className={cx(styles.share, toneOf(part.index))}
          style={{ flexGrow: part.share }}
        >
          {!isSmall && part.share >= 0.15 && part.words}
        </span>
      ))}
    </div>
  )
}
