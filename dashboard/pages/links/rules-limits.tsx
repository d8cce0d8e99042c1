// For how long, how often and for whom a link works: dates, a limit of clicks, a password.
import { Checkbox, NumberField, TextField } from '../../parts/fields.tsx'
import { FormRow, type FormState } from '../../parts/form.tsx'
import { link as text } from '../../texts/index.ts'
import type { RulesValues } from './rules-values.ts'

const words = text.rules

export function LimitFields({ form }: { form: FormState<RulesValues> }) {
  return (
    <>
      <FormRow>
        <TextField
          label={words.starts}
          hint={words.startsHint}
          type="datetime-local"
          {...form.field('starts', 'starts_ts')}
        />
        <TextField label={words.ends} hint={words.endsHint} type="datetime-local" {...form.field('ends', 'ends_ts')} />
      </FormRow>
      <FormRow>
        <NumberField label={words.maxClicks} hint={words.maxClicksHint} min={1} {...form.field('max_clicks')} />
        <TextField
          label={words.expiredUrl}
          hint={words.expiredHint}
          inputMode="url"
          maxLength={2048}
          {...form.field('expired_url')}
        />
      </FormRow>
      <PasswordFields form={form} />
    </>
  )
}

function PasswordFields({ form }: { form: FormState<RulesValues> }) {
  const { asksPassword, hadPassword } = form.values
  return (
    <>
      <Checkbox
        label={words.asksPassword}
        hint={words.asksPasswordHint}
        isOn={asksPassword}
        onChange={(isOn) => form.set({ asksPassword: isOn })}
      />
      {asksPassword && (
        <TextField
          label={words.password}
          hint={hadPassword ? words.newPasswordHint : words.passwordHint}
          type="password"
          autoComplete="new-password"
          maxLength={128}
          {...form.field('password')}
        />
      )}
    </>
  )
}
