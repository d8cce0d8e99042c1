// What happens when a form is sent: with or without our script, in which language, and where its visitors go.
import { visitorLanguages } from '../../../server/visitor-texts/languages.ts'
import type { OwnForm } from '../../api/forms.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Checkbox, Select, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { forms as text } from '../../texts/index.ts'
import { useFormChange } from './change.ts'

interface Values {
  readonly redirect_url: string
  readonly language: OwnForm['language']
  readonly is_plain_on: boolean
}

const valuesOf = ({ redirect_url, language, is_plain_on }: OwnForm): Values => ({
  redirect_url: redirect_url ?? '',
  language,
  is_plain_on,
})

const isLanguage = (value: string): value is OwnForm['language'] =>
  value === 'auto' || visitorLanguages.some((language) => language === value)

export function SendingSettings({ form }: { form: OwnForm }) {
  return (
    <Panel title={text.sending.title} subtitle={text.sending.subtitle}>
      <SendingForm key={form.id} form={form} />
    </Panel>
  )
}

function SendingForm({ form }: { form: OwnForm }) {
  const change = useFormChange(form)
  const state = useForm<Values>(valuesOf(form), async (_values, { changed, settle }) => {
    const saved = await change(changed).catch(rethrowSpoken)
    settle(valuesOf(saved))
    toast(text.settings.saved)
  })
  return (
    <SaveForm form={state} label={text.settings.save} isPrimary>
      <TextField
        label={text.sending.redirect}
        hint={text.sending.redirectHint}
        type="url"
        placeholder={text.sending.redirectExample}
        {...state.field('redirect_url')}
      />
      <Select
        label={text.sending.language}
        hint={text.sending.languageHint}
        options={[
          { value: 'auto', label: text.sending.languages.auto },
          ...visitorLanguages.map((value) => ({ value, label: text.sending.languages[value] })),
        ]}
        value={state.values.language}
        onChange={(language) => isLanguage(language) && state.set({ language })}
      />
      <Checkbox
        label={text.sending.plain}
        hint={text.sending.plainHint}
        isOn={state.values.is_plain_on}
        onChange={(is_plain_on) => state.set({ is_plain_on })}
        errors={state.errorsOf('is_plain_on')}
      />
    </SaveForm>
  )
}
