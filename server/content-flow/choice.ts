// Which version a visitor gets: the same for the visitor's whole day and on every node, computed from the
// visitor's session and the weights alone. When weights change, as few visitors as possible change their
// version.
import { hash } from 'node:crypto'
import type { SessionRef } from '../kernel/ids.ts'
import { type Block, BUCKETS, type Version } from '../content/content-model.ts'

/**
 * The visitor's bucket, from 0 to BUCKETS - 1. Each hashed part is preceded by its length, so that no two
 * combinations share an input. With 64 bits over a million buckets, sizes differ by less than one in 10^13.
 */
export function bucketOf({ id, salt }: Pick<Block, 'id' | 'salt'>, session: Pick<SessionRef, 'hash'>): number {
  const visitor = session.hash.toString()
  const digest = hash('sha256', `${salt.length}.${id.length}.${visitor.length}.${salt}${id}${visitor}`)
  return Number(BigInt(`0x${digest.slice(0, 16)}`) % BigInt(BUCKETS))
}

type Weighted = Pick<Version, 'weight' | 'is_active'>

const weightOf = ({ weight, is_active }: Weighted): number => (is_active ? weight : 0)

/**
 * Versions occupy consecutive ranges of buckets, each as large as its weight. Undefined when no version has
 * any weight. Integers only: rounding could leave a gap between two ranges.
 */
export function chooseVersion<Choice extends Weighted>(
  versions: readonly Choice[],
  bucket: number,
): Choice | undefined {
  const sum = versions.reduce((total, version) => total + weightOf(version), 0)
  let end = 0
  return versions.find((version) => {
    end += weightOf(version)
    return bucket * sum < end * BUCKETS
  })
}
