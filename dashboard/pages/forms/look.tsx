// How a managed form looks, and the words around its fields.
import { Checkbox, NumberField, Select, TextArea, TextField } from '../../parts/fields.tsx'
import { FormRow, type FormState } from '../../parts/form.tsx'
import { forms as text } from '../../texts/index.ts'
import type { FormDraft } from './draft.ts'
import styles from './forms.module.css'

const { builder } = text

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

export function Look({ state }: { state: FormState<FormDraft> }) {
  const { values, set, field } = state
  return (
    <div className={styles.fields}>
      <Checkbox label={builder.header} isOn={values.hasHeader} onChange={(hasHeader) => set({ hasHeader })} />
      {values.hasHeader && (
        <>
          <TextField label={builder.headerTitle} maxLength={255} {...field('headerTitle', 'header.title')} />
          <TextArea label={builder.headerText} rows={2} maxLength={1000} {...field('headerText', 'header.text')} />
        </>
      )}
      <FormRow>
        <TextField label={builder.button} maxLength={255} {...field('buttonLabel', 'button.label')} />
        <TextField label={builder.busy} maxLength={255} {...field('busyLabel', 'button.busy_label')} />
      </FormRow>
      <TextArea label={builder.footerText} rows={2} maxLength={1000} {...field('footerText', 'footer.text')} />
      <Checkbox label={builder.accentOn} isOn={values.hasAccent} onChange={(hasAccent) => set({ hasAccent })} />
      {values.hasAccent && <TextField type="color" label={builder.accent} {...field('accent', 'theme.accent')} />}
      <FormRow>
        <Select label={builder.font} options={optionsOf(builder.fonts)} {...field('font', 'theme.font')} />
        <Select label={builder.density} options={optionsOf(builder.densities)} {...field('density', 'theme.density')} />
        <NumberField label={builder.radius} min={0} max={40} {...field('radius', 'theme.radius_px')} />
      </FormRow>
      <FormRow>
        <Select label={builder.formType} options={optionsOf(builder.formTypes)} {...field('formType', 'form_type')} />
        <Select
          label={builder.websiteTheme}
          options={optionsOf(builder.websiteThemes)}
          {...field('websiteTheme', 'website_theme')}
        />
      </FormRow>
    </div>
  )
}
