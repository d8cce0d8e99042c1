// Shown in the builder when somebody else saved the form while there are unsaved changes: the reader decides.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { listFormEdits, type OwnForm } from '../../api/forms.ts'
import { Button } from '../../parts/button.tsx'
import { editorWords } from '../../parts/edit-list.tsx'
import { Note } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import type { Overtaken } from './building.ts'
import { editsKey } from './change.ts'
import { changedMembers, type Twice } from './draft-merge.ts'
import type { Definition, FormDraft } from './draft.ts'
import styles from './forms.module.css'

const words = text.builder.overtaken
const memberNames: Readonly<Record<string, string>> = text.history.fields

/** The member of the form that a part of the draft belongs to. */
const members: Readonly<Record<Exclude<keyof FormDraft, 'fields'>, keyof Definition>> = {
  hasHeader: 'header',
  headerTitle: 'header',
  headerText: 'header',
  footerText: 'footer',
  buttonLabel: 'button',
  busyLabel: 'button',
  hasAccent: 'theme',
  accent: 'theme',
  radius: 'theme',
  font: 'theme',
  density: 'theme',
  formType: 'form_type',
  websiteTheme: 'website_theme',
  successHtml: 'success_html',
  branding: 'branding',
}

const namesOf = (names: readonly string[]): string => [...new Set(names.map((name) => memberNames[name]))].join(', ')

function twiceWords({ keys, fields }: Twice): string {
  const others = keys.flatMap((key) => (key === 'fields' ? [] : members[key]))
  const labels = fields.map(({ label, name }) => words.field(label || name))
  return [...labels, ...(others.length > 0 ? [namesOf(others)] : [])].join(', ')
}

const LATEST_EDITS = 25

/** Who was the last to change one of these members; undefined while that is not known. */
function useLastEditor({ id, revision }: OwnForm, names: readonly string[]): string | undefined {
  const property = useProperty()
  const { data } = useQuery({
    queryKey: [...editsKey(property.id, id), 'latest', revision],
    queryFn: ({ signal }) => listFormEdits(property.id, id, { page: 1, per_page: LATEST_EDITS }, signal),
  })
  const edit = data?.data.find(({ after }) => names.some((name) => after !== null && Object.hasOwn(after, name)))
  return edit && editorWords(edit.edited_by)
}

export function OvertakenNote({ form, overtaken }: { form: OwnForm; overtaken: Overtaken }) {
  const path = usePropertyPath()
  const { base, theirs, twice, keep, discard } = overtaken
  const changed = Object.keys(changedMembers(base, theirs))
  const editor = useLastEditor(form, changed)
  const twiceNamed = twiceWords(twice)
  return (
    <div role="alert" className={styles.overtaken}>
      <Note tone="warn">
        <p>{words.changed(namesOf(changed))}</p>
        {editor !== undefined && <p>{words.last(editor)}</p>}
        {twiceNamed !== '' && <p>{words.twice(twiceNamed)}</p>}
        <div className={styles.overtakenActions}>
          <Button size="small" onClick={keep}>
            {words.keep}
          </Button>
          <Button size="small" look="quiet" onClick={discard}>
            {words.discard}
          </Button>
          <Link href={path(`/forms/${form.id}/history`)}>{words.history}</Link>
        </div>
      </Note>
    </div>
  )
}
