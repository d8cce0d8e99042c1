// A form while it is edited: what the editing began with, unsaved changes, and what others saved meanwhile.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api.ts'
import { type OwnForm, readForm } from '../../api/forms.ts'
import { type FormState, type Saving, useForm } from '../../parts/form.tsx'
import { useProperty } from '../../session.tsx'
import { formKey, useFormChange } from './change.ts'
import { changedMembers, merged, type Twice, touchedTwice } from './draft-merge.ts'
import { type FormDraft, readDraft, savedOf } from './draft.ts'

/** The state of the form that every change here is made to. */
interface Begun {
  readonly revision: number
  readonly draft: FormDraft
}

/** Unsaved changes, kept while the owner looks at other parts of the form; signing out discards them. */
interface Kept {
  readonly begun: Begun
  readonly values: FormDraft
}

/** Fields that are there already stay those that are open. */
function begin(form: OwnForm, { fields }: FormDraft): Begun {
  const draft = readDraft(form, ({ name }) => fields.find((field) => field.name === name)?.uid)
  return { revision: form.revision, draft }
}

const isSameForm = (one: FormDraft, other: FormDraft): boolean => Object.keys(changedMembers(one, other)).length === 0

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'

/** Sends the changes. Changes that others made outside of the builder, as by publishing, do not conflict. */
function useSave(form: OwnForm) {
  const property = useProperty()
  const client = useQueryClient()
  const change = useFormChange(form)
  return async ({ revision, draft }: Begun, values: FormDraft): Promise<OwnForm> => {
    const asked = changedMembers(draft, values)
    try {
      return await change({ ...asked, if_revision: revision })
    } catch (error) {
      if (!isConflict(error)) throw error
      const queryKey = formKey(property.id, form.id)
      const now = await client.fetchQuery({ queryKey, queryFn: () => readForm(property.id, form.id), staleTime: 0 })
      if (!isSameForm(draft, readDraft(now.form))) throw error
      return change({ ...asked, if_revision: now.form.revision })
    }
  }
}

/** @returns what was kept when the form was shown last. */
function useKept({ id }: OwnForm): Kept | undefined {
  const client = useQueryClient()
  const [kept] = useState(() => client.getQueryData<Kept>(['form-draft', id]))
  return kept
}

function useKeeping({ id }: OwnForm, begun: Begun, { values, isChanged }: FormState<FormDraft>): void {
  const client = useQueryClient()
  useEffect(() => {
    const key = ['form-draft', id]
    client.setQueryDefaults(['form-draft'], { gcTime: Infinity })
    if (isChanged) client.setQueryData<Kept>(key, { begun, values })
    else client.removeQueries({ queryKey: key, exact: true })
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    if (isChanged) addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [client, id, isChanged, begun, values])
}

/** Somebody else saved while something is not saved here. */
export interface Overtaken {
  readonly theirs: FormDraft
  readonly base: FormDraft
  readonly twice: Twice
  /** What is not saved here, put on top of what is stored now. */
  readonly keep: () => void
  readonly discard: () => void
}

interface Building {
  readonly state: FormState<FormDraft>
  readonly overtaken: Overtaken | undefined
}

/** @param onSave is around each saving: it is handed what sends the change, and what is to be sent. */
export function useBuilding(
  form: OwnForm,
  onSave: (send: () => Promise<OwnForm>, values: FormDraft) => Promise<OwnForm>,
): Building {
  const kept = useKept(form)
  const [begun, setBegun] = useState<Begun>(() => kept?.begun ?? { revision: form.revision, draft: readDraft(form) })
  const save = useSave(form)
  const submit = async (values: FormDraft, { settle }: Saving<FormDraft>): Promise<void> => {
    const saved = await onSave(() => save(begun, values), values)
    const written = savedOf(values.fields)
    const draft = readDraft(saved, (_field, at) => written[at]?.uid)
    setBegun({ revision: saved.revision, draft })
    settle(draft)
  }
  const state = useForm<FormDraft>(begun.draft, submit, kept?.values)
  useKeeping(form, begun, state)

  const isBehind = form.revision > begun.revision && !state.isBusy
  if (!isBehind) return { state, overtaken: undefined }
  const now = begin(form, begun.draft)
  if (isSameForm(begun.draft, now.draft)) setBegun({ ...begun, revision: form.revision })
  else if (!state.isChanged) setBegun(now)
  else return { state, overtaken: overtakenBy(now, begun.draft, { state, setBegun }) }
  return { state, overtaken: undefined }
}

function overtakenBy(
  now: Begun,
  base: FormDraft,
  { state, setBegun }: { readonly state: FormState<FormDraft>; readonly setBegun: (begun: Begun) => void },
): Overtaken {
  const versions = { base, mine: state.values, theirs: now.draft }
  return {
    base,
    theirs: now.draft,
    twice: touchedTwice(versions),
    keep: () => {
      setBegun(now)
      state.set(merged(versions))
    },
    discard: () => {
      setBegun(now)
      state.reset(now.draft)
    },
  }
}
