// Creates or edits a version of a block: its HTML beside what will be stored of it, and its calls to action.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import {
  type Block,
  changeVersion,
  createVersion,
  previewHtml,
  readPolicy,
  type Version,
  type VersionChange,
} from '../../api/content.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { anyOf } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Checkbox, NumberField, TextArea, TextField } from '../../parts/fields.tsx'
import { type FormState, useForm } from '../../parts/form.tsx'
import { Preview } from '../../parts/preview.tsx'
import { Note } from '../../parts/states.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useProperty } from '../../session.tsx'
import { content as text } from '../../texts/index.ts'
import { useSettled } from '../../typed.ts'
import { useRefresh } from './change.ts'
import styles from './content.module.css'

const words = text.editor
const MAX_HTML = 50_000
const MAX_CTAS = 20
const FIRST_WEIGHT = 100

interface CtaDraft {
  readonly key: string
  readonly label: string
  readonly url: string
}

interface Values {
  readonly label: string
  readonly html: string
  readonly ctas: readonly CtaDraft[]
  readonly weight: number | null
  readonly is_active: boolean
}

const initialOf = (version: Version | undefined): Values => ({
  label: version?.label ?? '',
  html: version?.html ?? '',
  ctas: (version?.ctas ?? []).map(({ key, label, url }) => ({ key, label, url: url ?? '' })),
  weight: version?.weight ?? FIRST_WEIGHT,
  is_active: version?.is_active ?? true,
})

const askedOf = ({ ctas, weight, ...values }: Partial<Values>): VersionChange => ({
  ...values,
  ...(weight !== undefined && { weight: weight ?? 0 }),
  // Without words it is called as its key.
  ...(ctas && { ctas: ctas.map(({ key, label, url }) => ({ key, label: label || key, url: url || null })) }),
})

export interface VersionDialogProps {
  readonly block: Block
  /** undefined: a new one. */
  readonly version?: Version
  readonly onClose: () => void
}

export function VersionDialog({ block, version, onClose }: VersionDialogProps) {
  const property = useProperty()
  const refresh = useRefresh(block.id)
  const form = useForm<Values>(initialOf(version), async (values, { changed, hasMore }) => {
    const saving = version
      ? changeVersion(property.id, block.id, version.id, askedOf(changed))
      : createVersion(property.id, block.id, askedOf(values))
    const { removed } = await saving.catch(rethrowSpoken)
    await refresh()
    toast(removed.length === 0 ? words.saved : words.savedWithout(anyOf(removed)))
    if (!version || !hasMore()) onClose()
  })
  return (
    <FormDialog
      form={form}
      action={words.save}
      title={version ? words.editTitle(version.label) : words.newTitle}
      size="wide"
      onClose={onClose}
    >
      <TextField label={words.label} maxLength={120} {...form.field('label')} />
      <div className={styles.editor}>
        <TextArea
          label={words.html}
          hint={<PolicyHint />}
          isCode
          rows={14}
          maxLength={MAX_HTML}
          {...form.field('html')}
        />
        <Stored html={form.values.html} />
      </div>
      <Ctas form={form} />
      <NumberField
        label={words.weight}
        hint={words.weightHint}
        min={0}
        max={1000}
        className={styles.weightField}
        {...form.field('weight')}
      />
      <Checkbox
        label={words.active}
        hint={text.versions.phaseHint}
        isOn={form.values.is_active}
        onChange={(is_active) => form.set({ is_active })}
      />
    </FormDialog>
  )
}

export function usePolicy() {
  const property = useProperty()
  return useQuery({
    queryKey: ['content-policy', property.id],
    queryFn: ({ signal }) => readPolicy(property.id, signal),
  }).data?.content_policy
}

function PolicyHint() {
  const policy = usePolicy()
  return `${words.htmlHint} ${policy === undefined ? '' : words.policy[policy]}`
}

/** What the policy keeps of the HTML, asked while it is written. */
function Stored({ html }: { html: string }) {
  const property = useProperty()
  const settled = useSettled(html)
  const { data, error } = useQuery({
    queryKey: ['content-preview', property.id, settled],
    queryFn: ({ signal }) => previewHtml(property.id, settled, signal),
    placeholderData: keepPreviousData,
    enabled: settled !== '',
    retry: false,
  })
  const isShown = settled !== '' && data !== undefined
  return (
    <section className={styles.stored} aria-label={words.preview}>
      <h3>{words.preview}</h3>
      {isShown ? (
        <Preview html={data.html} title={words.preview} maxHeight={320} />
      ) : (
        <p className={styles.small}>{words.previewEmpty}</p>
      )}
      <div aria-live="polite">
        {error && settled !== '' && <Note tone="bad">{error.message}</Note>}
        {isShown && data.removed.length > 0 && (
          <Note tone="warn">
            {words.removed}
            <ul className={styles.removed}>
              {data.removed.map((kind) => (
                <li key={kind}>
                  <code>{kind}</code>
                </li>
              ))}
            </ul>
          </Note>
        )}
        {isShown && data.removed.length === 0 && <p className={styles.small}>{words.kept}</p>}
      </div>
    </section>
  )
}

function Ctas({ form }: { form: FormState<Values> }) {
  const { ctas } = form.values
  const set = (next: readonly CtaDraft[]): void => form.set({ ctas: next })
  return (
    <fieldset className={styles.ctas}>
      <legend>{words.ctas}</legend>
      <p className={styles.small}>{words.ctasHint}</p>
      {ctas.map((cta, index) => {
        const field = (name: keyof CtaDraft) => ({
          value: cta[name],
          onChange: (value: string) => set(ctas.with(index, { ...cta, [name]: value })),
          errors: form.errorsOf(`ctas.${index}.${name}`),
        })
        return (
          <div key={index} role="group" aria-label={words.cta(index + 1)} className={styles.cta}>
            <TextField label={words.ctaKey} maxLength={64} spellCheck={false} autoCapitalize="none" {...field('key')} />
            <TextField label={words.ctaLabel} maxLength={255} {...field('label')} />
            <TextField label={words.ctaUrl} maxLength={2048} spellCheck={false} {...field('url')} />
            <IconButton
              label={words.removeCta(index + 1)}
              icon={<X />}
              className={styles.ctaRemove}
              onClick={() => set(ctas.toSpliced(index, 1))}
            />
          </div>
        )
      })}
      {ctas.length < MAX_CTAS && (
        <div>
          <Button
            size="small"
            icon={<Plus aria-hidden="true" />}
            onClick={() => set([...ctas, { key: '', label: '', url: '' }])}
          >
            {words.addCta}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
