// Beside the editor: the form as visitors see it, at the edited field; or what they see after sending it.
import { useMemo } from 'react'
import { Panel } from '../../parts/panel.tsx'
import { Preview } from '../../parts/preview.tsx'
import { forms as text } from '../../texts/index.ts'
import { cx } from '../../parts/cx.ts'
import { blueprintOf, type FormDraft } from './draft.ts'
import { Drawn } from './drawn.tsx'
import styles from './forms.module.css'

interface BuilderPreviewProps {
  readonly draft: FormDraft
  /** The name of the field that is open in the editor. */
  readonly edited: string | undefined
  readonly isAfter: boolean
  readonly redirectUrl: string | null
}

export function BuilderPreview({ draft, edited, isAfter, redirectUrl }: BuilderPreviewProps) {
  const words = text.builder
  if (isAfter)
    return (
      <Panel title={words.preview} subtitle={words.previewAfter}>
        <Thanks html={draft.successHtml} redirectUrl={redirectUrl} />
      </Panel>
    )
  return (
    <Panel title={words.preview} subtitle={words.previewHint} isFlush>
      {draft.formType === 'popup' && (
        <p className={cx(styles.small, styles.popupHint)}>
          {words.popupHint(draft.hasHeader ? draft.headerTitle : draft.buttonLabel)}
        </p>
      )}
      <Shown draft={draft} edited={edited} />
    </Panel>
  )
}

/** A popup is shown open: what is edited is inside. */
function Shown({ draft, edited }: Pick<BuilderPreviewProps, 'draft' | 'edited'>) {
  const blueprint = useMemo(() => ({ ...blueprintOf(draft), form_type: 'inline' }), [draft])
  return <Drawn blueprint={blueprint} edited={edited} label={text.builder.preview} />
}

function Thanks({ html, redirectUrl }: { html: string; redirectUrl: string | null }) {
  if (redirectUrl !== null) return <p className={styles.wrapped}>{text.thanks.redirects(redirectUrl)}</p>
  if (html.trim() === '') return <p>{text.thanks.usual}</p>
  return <Preview html={html} title={text.thanks.preview} maxHeight={600} />
}
