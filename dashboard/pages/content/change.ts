// One block as it is kept while it is shown, and what is asked again after a change.
import { useQueryClient } from '@tanstack/react-query'
import { type Block, type BlockChange, changeBlock } from '../../api/content.ts'
import { useProperty } from '../../session.tsx'

export const blockKey = (property: string, id: string) => ['content', property, id] as const

/** The block, its history, its results and the list that it is in. */
export function useRefresh(id: string): () => Promise<void> {
  const property = useProperty()
  const client = useQueryClient()
  return async () => {
    await Promise.all(
      [blockKey(property.id, id), ['content-of', property.id, id], ['contents', property.id]].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  }
}

export function useBlockChange({ id }: Pick<Block, 'id'>) {
  const property = useProperty()
  const client = useQueryClient()
  const refresh = useRefresh(id)
  return async (asked: BlockChange): Promise<Block> => {
    const answer = await changeBlock(property.id, id, asked)
    client.setQueryData(blockKey(property.id, id), answer)
    await refresh()
    return answer.content
  }
}
