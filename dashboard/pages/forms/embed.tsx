// What is put on a page so that the form works there.
import { Link } from 'wouter'
import type { OwnForm } from '../../api/forms.ts'
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { useCan, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { fetchSnippet, htmlSnippet, managedSnippet, plainSnippet, plainUrl } from './snippets.ts'

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
      <PlainHtml form={form} />
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

function PlainHtml({ form }: { form: OwnForm }) {
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  if (!form.is_plain_on)
    return (
      <Panel title={text.embed.plainTitle} subtitle={text.embed.plainHint}>
        <p>
          {text.embed.plainOff}{' '}
          {canEdit && <Link href={path(`/forms/${form.id}/settings`)}>{text.embed.plainSettings}</Link>}
        </p>
      </Panel>
    )
  return (
    <>
      <Panel title={text.embed.plainTitle} subtitle={text.embed.plainHint}>
        <CodeBlock label={text.embed.code} code={plainSnippet(form)} />
      </Panel>
      {form.kind === 'managed' && (
        <Panel title={text.embed.pageTitle} subtitle={text.embed.pageHint}>
          <Copyable words={plainUrl(form.key)} />
        </Panel>
      )}
    </>
  )
}
