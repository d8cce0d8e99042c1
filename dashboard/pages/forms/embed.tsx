// What is put on a page so that the form works there.
import type { OwnForm } from '../../api/forms.ts'
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { forms as text } from '../../texts/index.ts'
import { fetchSnippet, htmlSnippet, managedSnippet } from './snippets.ts'

export function Embed({ form }: { form: OwnForm }) {
  return (
    <>
      {form.kind === 'managed' ? (
        <Panel title={text.embed.managedTitle} subtitle={text.embed.managedHint}>
          <CodeBlock label={text.embed.code} code={managedSnippet(form.key)} />
        </Panel>
      ) : (
        <>
          <Panel title={text.embed.htmlTitle} subtitle={text.embed.htmlHint}>
            <CodeBlock label={text.embed.code} code={htmlSnippet(form.key)} />
          </Panel>
          <Panel title={text.embed.fetchTitle} subtitle={text.embed.fetchHint}>
            <CodeBlock label={text.embed.code} code={fetchSnippet(form.key)} />
          </Panel>
        </>
      )}
      <Panel>
        <Facts
          rows={[
            [text.embed.keyTitle, <Copyable key="key" words={form.key} />],
            [
              text.embed.domainsTitle,
              form.domains.length === 0 ? text.embed.noDomains : `${text.embed.domainsHint} ${form.domains.join(', ')}`,
            ],
          ]}
        />
      </Panel>
    </>
  )
}
