// What stands in the place of a form that was sent.
import { Checkbox, TextArea } from '../../parts/fields.tsx'
import { Preview } from '../../parts/preview.tsx'
import { forms as text } from '../../texts/index.ts'
import styles from './forms.module.css'

export interface ThanksFieldsProps {
  readonly html: string
  readonly onHtml: (html: string) => void
  readonly branding: boolean
  readonly onBranding: (branding: boolean) => void
  readonly errors: readonly string[]
  /** Below the text, where no other place shows it. */
  readonly hasPreview?: boolean
}

export function ThanksFields(props: ThanksFieldsProps) {
  const { html, onHtml, branding, onBranding, errors, hasPreview = true } = props
  return (
    <>
      <TextArea
        label={text.thanks.html}
        hint={text.thanks.htmlHint}
        rows={6}
        isCode
        maxLength={20_000}
        value={html}
        onChange={onHtml}
        errors={errors}
      />
      {hasPreview && html.trim() !== '' && (
        <div className={styles.thanks}>
          <p className={styles.small}>{text.thanks.preview}</p>
          <Preview html={html} title={text.thanks.preview} maxHeight={400} />
        </div>
      )}
      <Checkbox label={text.thanks.branding} isOn={branding} onChange={onBranding} />
    </>
  )
}
