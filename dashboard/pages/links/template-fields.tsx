// The UTM template of a group: five values with placeholders, and the URL that a new link would lead to.
import { useRef } from 'react'
import { placeholders } from '../../../server/links/utm-template.ts'
import { withUtm } from '../../../server/links/utm.ts'
import { type UtmName, utmNames } from '../../api/links.ts'
import { TextField } from '../../parts/fields.tsx'
import { links as text } from '../../texts/index.ts'
import styles from './links.module.css'
import type { UtmTexts } from './suggest.ts'
import { filledTexts } from './utm-template.ts'

const words = text.template

export interface TemplateFieldsProps {
  readonly values: UtmTexts
  readonly groupName: string
  readonly onChange: (patch: Partial<UtmTexts>) => void
  readonly field: (name: UtmName) => {
    readonly name: string
    readonly value: string
    readonly onChange: (value: string) => void
    readonly errors: readonly string[]
  }
}

export function TemplateFields({ values, groupName, onChange, field }: TemplateFieldsProps) {
  /** Where a placeholder goes: the field that was typed in last. */
  const latest = useRef<UtmName>('utm_campaign')
  const isOpen = utmNames.some((name) => values[name] !== '' || field(name).errors.length > 0)
  const insert = (word: string): void => onChange({ [latest.current]: `${values[latest.current]}{${word}}` })
  return (
    <details className={styles.more} open={isOpen || undefined}>
      <summary>{words.title}</summary>
      <div className={styles.many}>
        <p className={styles.small}>{words.hint}</p>
        <div className={styles.chips} role="group" aria-label={words.placeholders}>
          {placeholders.map((word) => (
            <button
              key={word}
              type="button"
              className={styles.chip}
              title={words.meanings[word]}
              onClick={() => insert(word)}
            >
              {`{${word}}`}
            </button>
          ))}
        </div>
        <div className={styles.utmFields}>
          {utmNames.map((name) => (
            <TextField
              key={name}
              label={text.utm[name].label}
              spellCheck={false}
              autoCapitalize="none"
              maxLength={255}
              onFocus={() => void (latest.current = name)}
              {...field(name)}
            />
          ))}
        </div>
        <Example values={values} groupName={groupName} />
      </div>
    </details>
  )
}

function Example({ values, groupName }: Pick<TemplateFieldsProps, 'values' | 'groupName'>) {
  const filled = filledTexts({ name: groupName, utm_template: values }, { code: '', name: words.exampleName })
  return (
    <section className={styles.preview} aria-label={words.example} aria-live="polite">
      <h3>{words.example}</h3>
      <p className={styles.small}>{words.exampleHint(words.exampleName)}</p>
      <p className={styles.address}>{withUtm('https://example.com/', filled)}</p>
    </section>
  )
}
