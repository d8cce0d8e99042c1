// Which version a visitor gets. The same for all of the visitor's day and on every node, by nothing but the visitor's session and the weights;
// when weights move, as few visitors change their version as the order of the versions allows.
import { hash } from 'node:crypto'
import type { SessionRef } from '../kernel/ids.ts'
import { type Block, BUCKETS, type Version } from '../content/content-model.ts'

/**
 * The visitor's place, from 0 and below BUCKETS. The parts are written with their lengths, so that no two blocks and visitors share an input.
 * 64 bits against a million parts: no part is larger than another by more than one in 10^13.
 */
export function bucketOf({ id, salt }: Pick<Block, 'id' | 'salt'>, session: Pick<SessionRef, 'hash'>): number {
  const visitor = session.hash.toString()
  const digest = hash('sha256', `${salt.length}.${id.length}.${visitor.length}.${salt}${id}${visitor}`)
  return Number(BigInt(`0x${digest.slice(0, 16)}`) % BigInt(BUCKETS))
}

type Weighted = Pick<Version, 'weight' | 'is_active'>

const weightOf = ({ weight, is_active }: Weighted): number => (is_active ? weight : 0)

/**
 * The version whose stretch holds the bucket: stretches follow each other in the order of the versions, each as long as its weight.
 * Undefined when none has any weight. In whole numbers throughout: no rounding can leave a gap between two stretches.
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
