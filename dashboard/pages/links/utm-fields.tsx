// The UTM values of a link that is created or edited: suggested by the purpose of its group, and for a new
// link filled in by the group's template.
import { type LinkGroup, type Purpose, type UtmName, utmNames } from '../../api/links.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { links as text } from '../../texts/index.ts'
import styles from './links.module.css'
import { suggested, type UtmTexts } from './suggest.ts'

const words = text.editor

export interface UtmFieldsProps {
  readonly values: UtmTexts
  readonly group: Pick<LinkGroup, 'name' | 'purpose'>
  readonly set: (patch: Partial<UtmTexts>) => void
  readonly field: (name: UtmName) => {
    readonly name: string
    readonly value: string
    readonly onChange: (value: string) => void
    readonly errors: readonly string[]
  }
  /** Of a new link in a group with a template: what it fills in, and whether it does. */
  readonly template?: Template | undefined
}

export interface Template {
  readonly filled: UtmTexts
  readonly isUsed: boolean
  readonly onUse: (isUsed: boolean) => void
}

export function UtmFields({ values, group, set, field, template }: UtmFieldsProps) {
  const { purpose, name: groupName }: { purpose: Purpose; name: string } = group
  const suggest = (): void => {
    set(suggested(values, purpose, groupName))
    toast(words.suggested)
  }
  return (
    <fieldset className={styles.utm}>
      <legend>{words.utmTitle}</legend>
      <div className={styles.suggest}>
        <p className={styles.small}>{words.utmHint}</p>
        {!template?.isUsed && (
          <Button size="small" onClick={suggest}>
            {words.suggest(text.purposes[purpose])}
          </Button>
        )}
      </div>
      {template && (
        <Checkbox
          label={text.template.apply(groupName)}
          hint={text.template.applyHint}
          isOn={template.isUsed}
          onChange={template.onUse}
        />
      )}
      <div className={styles.utmFields}>
        {utmNames.map((name) => (
          <TextField
            key={name}
            label={text.utm[name].label}
            hint={text.utm[name].hint}
            placeholder={template?.isUsed ? template.filled[name] : undefined}
            spellCheck={false}
            autoCapitalize="none"
            maxLength={255}
            {...field(name)}
          />
        ))}
      </div>
    </fieldset>
  )
}
