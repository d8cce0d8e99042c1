// Finds the content block of a command: by id, public key, or a name that only one has.
import { getBlock, listBlocks } from '../server/content/blocks.ts'
import type { Block } from '../server/content/content-model.ts'
import { Problem } from '../server/kernel/problem.ts'
import type { Property } from '../server/properties/properties.ts'
import { needed, UsageError } from './command.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

export const everyBlock = (deps: Recorded, propertyId: string) => everyRow((ask) => listBlocks(deps, propertyId, ask))

/** @throws Problem('not_found') UsageError when several have the name. */
async function namedBlock(deps: Recorded, propertyId: string, word: string): Promise<Block> {
  if (word.startsWith('cb_')) return getBlock(deps, propertyId, word)
  const all = await everyBlock(deps, propertyId)
  const keyed = all.filter(({ key }) => key === word)
  const [found, ...others] = keyed.length > 0 ? keyed : all.filter(({ name }) => name === word)
  if (others.length > 0) throw new UsageError('several content blocks have that name: give the id or key of one')
  if (!found) throw new Problem('not_found', 'There is no content block of that name in this property.')
  return getBlock(deps, propertyId, found.id)
}

/** Finds the named block and works on it with the same open records. */
export async function withBlock<T>(
  { property }: { readonly property?: string | undefined },
  word: string | undefined,
  work: (deps: Recorded, block: Block, owner: Property) => Promise<T>,
): Promise<T> {
  const name = needed(word, 'the CONTENT')
  return withRecords(async (deps) => {
    const owner = await propertyFor(deps, property)
    return work(deps, await namedBlock(deps, owner.id, name), owner)
  })
}
