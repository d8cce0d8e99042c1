// What is put on a page so that the block stands there (docs/browser.md).
import type { Block } from '../../api/content.ts'
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { scriptUrl } from '../../snippet.ts'
import { content as text } from '../../texts/index.ts'

const words = text.embed

/** Keys and addresses are of letters that need no escape in HTML. */
const snippet = (property: string, key: string): string =>
  `<script defer src="${scriptUrl('/content.js')}" data-key="${property}"></script>

<div data-footfall-content="${key}">${words.instead}</div>`

export function Embed({ block }: { block: Block }) {
  const property = useProperty()
  return (
    <>
      <Panel title={words.title} subtitle={words.hint}>
        <CodeBlock label={words.code} code={snippet(property.key, block.key)} />
      </Panel>
      <Panel>
        <Facts rows={[[words.key, <Copyable key="key" words={block.key} />]]} />
        <p>{words.order}</p>
      </Panel>
    </>
  )
}
