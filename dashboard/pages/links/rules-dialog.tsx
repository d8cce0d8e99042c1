// Edits the rules of a link: dates and limits, rules in their order, a split, and a try of what is typed.
import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Link, type LinkRules, writeRules } from '../../api/links.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { NumberField, Select, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { type FormState, useForm } from '../../parts/form.tsx'
import { useProperty } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import { rulesKey } from './links.ts'
import styles from './links.module.css'
import { LimitFields } from './rules-limits.tsx'
import { RulesTry } from './rules-try.tsx'
import { changeOf, emptyRule, type RulesValues, type RuleValues, valuesOf, type VariantValues } from './rules-values.ts'

const words = text.rules
type Form = FormState<RulesValues>

export const deviceOptions = [
  { value: '', label: words.any },
  ...Object.entries(words.devices).map(([value, label]) => ({ value, label })),
]

interface RulesDialogProps {
  readonly link: Link
  readonly rules: LinkRules
  readonly onClose: () => void
}

export default function RulesDialog({ link, rules, onClose }: RulesDialogProps) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm<RulesValues>(valuesOf(rules), async (values, { hasMore }) => {
    const answer = await writeRules(property.id, link.id, changeOf(values)).catch(rethrowSpoken)
    client.setQueryData(rulesKey(property.id, link.id), answer)
    toast(words.saved)
    if (!hasMore()) onClose()
  })
  return (
    <FormDialog form={form} action={words.save} title={words.title} size="wide" onClose={onClose}>
      <LimitFields form={form} />
      <RuleList form={form} />
      <SplitList form={form} destination={link.destination_url} />
      <RulesTry link={link} rules={form.values} />
    </FormDialog>
  )
}

function Section({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className={styles.utm}>
      <legend>{title}</legend>
      <p className={styles.small}>{hint}</p>
      {children}
    </fieldset>
  )
}

function moved<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const row = rows[from]
  return row === undefined ? rows : rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

function RuleList({ form }: { form: Form }) {
  const { rules } = form.values
  const set = (next: readonly RuleValues[]): void => form.set({ rules: next })
  return (
    <Section title={words.rules} hint={words.rulesHint}>
      {rules.map((rule, index) => (
        <fieldset key={rule.id ?? `new-${index}`} className={styles.rule}>
          <legend className="visually-hidden">{words.rule(number(index + 1))}</legend>
          <div className={styles.ruleHead}>
            <strong>{words.rule(number(index + 1))}</strong>
            <span>
              <IconButton
                size="small"
                label={words.up}
                icon={<ArrowUp />}
                disabled={index === 0}
                onClick={() => set(moved(rules, index, index - 1))}
              />
              <IconButton
                size="small"
                label={words.down}
                icon={<ArrowDown />}
                disabled={index === rules.length - 1}
                onClick={() => set(moved(rules, index, index + 1))}
              />
              <IconButton
                size="small"
                label={words.remove}
                icon={<X />}
                onClick={() => set(rules.toSpliced(index, 1))}
              />
            </span>
          </div>
          <RuleFields
            rule={rule}
            errorsOf={(name) => form.errorsOf(`rules.${index}.${name}`)}
            onChange={(patch) => set(rules.with(index, { ...rule, ...patch }))}
          />
        </fieldset>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus aria-hidden="true" />}
          disabled={rules.length >= 20}
          onClick={() => set([...rules, emptyRule])}
        >
          {words.addRule}
        </Button>
      </div>
    </Section>
  )
}

interface RuleFieldsProps {
  readonly rule: RuleValues
  readonly errorsOf: (name: string) => readonly string[]
  readonly onChange: (patch: Partial<RuleValues>) => void
}

function RuleFields({ rule, errorsOf, onChange }: RuleFieldsProps) {
  const known = deviceOptions.some(({ value }) => value === rule.device)
  const options = known ? deviceOptions : [...deviceOptions, { value: rule.device, label: rule.device }]
  const texts = ['os', 'country', 'language'] as const
  return (
    <>
      <div className={styles.ruleFields}>
        <Select
          label={words.device}
          value={rule.device}
          onChange={(device) => onChange({ device })}
          options={options}
        />
        {texts.map((name) => (
          <TextField
            key={name}
            label={words.fields[name].label}
            placeholder={words.fields[name].example}
            value={rule[name]}
            onChange={(value) => onChange({ [name]: value })}
            spellCheck={false}
            maxLength={500}
          />
        ))}
        <TextField
          label={words.fromLabel}
          type="datetime-local"
          value={rule.from}
          onChange={(from) => onChange({ from })}
        />
        <TextField
          label={words.untilLabel}
          type="datetime-local"
          value={rule.until}
          onChange={(until) => onChange({ until })}
          errors={errorsOf('when')}
        />
      </div>
      <TextField
        label={words.leads}
        inputMode="url"
        maxLength={2048}
        spellCheck={false}
        value={rule.destination_url}
        onChange={(destination_url) => onChange({ destination_url })}
        errors={errorsOf('destination_url')}
      />
    </>
  )
}

function SplitList({ form, destination }: { form: Form; destination: string }) {
  const { split } = form.values
  const set = (next: readonly VariantValues[]): void => form.set({ split: next })
  const errors = split.length < 2 ? form.errorsOf('split') : []
  const blank: VariantValues = { id: null, destination_url: '', weight: 50 }
  const add = (): void =>
    set(split.length === 0 ? [{ ...blank, destination_url: destination }, blank] : [...split, blank])
  return (
    <Section title={words.split} hint={words.splitHint}>
      {split.map((variant, index) => (
        <div key={variant.id ?? `new-${index}`} className={styles.variant}>
          <TextField
            label={words.variant(number(index + 1))}
            inputMode="url"
            maxLength={2048}
            spellCheck={false}
            value={variant.destination_url}
            onChange={(destination_url) => set(split.with(index, { ...variant, destination_url }))}
            errors={[...errors, ...form.errorsOf(`split.${index}.destination_url`)]}
          />
          <NumberField
            label={words.weight}
            value={variant.weight}
            min={1}
            max={1000}
            onChange={(weight) => set(split.with(index, { ...variant, weight }))}
            errors={form.errorsOf(`split.${index}.weight`)}
          />
          <IconButton
            className={styles.removeVariant}
            label={words.remove}
            icon={<X />}
            onClick={() => set(split.length <= 2 ? [] : split.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon={<Plus aria-hidden="true" />} disabled={split.length >= 10} onClick={add}>
          {split.length === 0 ? words.startSplit : words.addVariant}
        </Button>
      </div>
    </Section>
  )
}
