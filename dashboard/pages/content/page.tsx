// Content blocks: the list, or one of them.
import type { PageProps } from '../../app.tsx'
import { BlockPage } from './block.tsx'
import { BlockList } from './list.tsx'

export default function ContentPage({ rest: [block, tab] }: PageProps) {
  return block === undefined ? <BlockList /> : <BlockPage key={block} id={block} tab={tab} />
}
