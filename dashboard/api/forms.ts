// Forms, what was sent with them, and their figures.
import { download, get, type Page, post, remove } from '../api.ts'
import type { Edit } from './edits.ts'
import type {
  FieldOption,
  FormField,
  FormKind,
  Mark,
  Presentation,
  Validation,
  Verdict,
} from '../../server/forms/form.ts'

export type { FieldOption, FormField, FormKind, Mark, Presentation, Validation, Verdict }

export interface FormFullness {
  readonly spam: number
  readonly flagged: number
  readonly clean: number
  readonly last_ts: number | null
  /** Null while there is room. */
  readonly stored: number | null
  readonly most: number
}

export interface OwnForm extends Presentation {
  readonly id: string
  /** Public. */
  readonly key: string
  readonly name: string
  readonly kind: FormKind
  readonly domains: readonly string[]
  readonly fields: readonly FormField[]
  readonly validation: Validation
  readonly success_html: string
  readonly is_published: boolean
  readonly is_archived: boolean
  readonly branding: boolean
  readonly retention_days: number | null
  readonly is_ip_kept: boolean
  readonly ip_retention_days: number
  /** Until then IP addresses from before stay; null: there are none, or the form stores them. */
  readonly stored_ips_until_ts: number | null
  /** What was removed because the form was full, and that it nearly is; null: nothing. Not in lists. */
  readonly fullness?: FormFullness | null
  /** Each change counts it up. */
  readonly revision: number
  readonly created_ts: number
  readonly updated_ts: number
}

export interface ListedForm extends OwnForm {
  /** Null while they cannot be counted. */
  readonly views: number | null
  readonly submitted: number | null
}

type Told = 'id' | 'key' | 'kind' | 'stored_ips_until_ts' | 'fullness' | 'revision' | 'created_ts' | 'updated_ts'

export type FormChange = Partial<
  Omit<OwnForm, Told | 'success_html' | 'ip_retention_days'> & {
    readonly success_html: string | null
    readonly ip_retention_days: number | null
    /** The one that was read: refused (409) when the form is at another one. */
    readonly if_revision: number
  }
>

export interface Reason {
  readonly reason: string
  /** Below 0: speaks for a person. */
  readonly points: number
  readonly sentence: string | null
}

export interface Submission {
  readonly id: string
  readonly form: { readonly id: string; readonly name: string }
  readonly submitted_ts: number
  readonly verdict: Verdict
  readonly mark: Mark | null
  readonly is_spam: boolean
  readonly is_flagged: boolean
  readonly score: number
  readonly reasons: readonly Reason[]
  readonly raw_fields: readonly {
    readonly type: string
    readonly name: string
    readonly label: string
    readonly value: string | readonly string[]
  }[]
  /** Null unless the form stores it. */
  readonly ip: string | null
  readonly network: string | null
  readonly country: string | null
  readonly country_code: string | null
  readonly city: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly device: string | null
  readonly language: string | null
  readonly is_bot: boolean
  readonly bot_name: string | null
  readonly bot_reason: string | null
  readonly source: string | null
  readonly lib: string | null
  readonly session_id: string | null
}

export interface SubmissionFilter {
  readonly show?: 'kept' | 'spam' | 'all' | undefined
  readonly verdict?: Verdict | undefined
  readonly search?: string | undefined
  readonly from_ts?: number | undefined
  readonly to_ts?: number | undefined
}

interface Steps {
  readonly views: number
  readonly opened: number
  readonly submitted: number
}

export interface FormStatistics extends Steps {
  readonly showing: string
  readonly period: string
  readonly flagged: number
  readonly dropped: number
  readonly rate: number | null
  readonly rate_opened: number | null
  readonly bots: Steps
  readonly by_source: readonly (Steps & { readonly source: string; readonly rate: number | null })[]
  readonly by_country: readonly (Steps & {
    readonly country_code: string
    readonly country: string
    readonly rate: number | null
  })[]
}

export interface WindowAsk {
  readonly period: string | null
  readonly date_from: string | null
  readonly date_to: string | null
}

const pathOf = (property: string, rest = ''): string =>
  `/manage/properties/${encodeURIComponent(property)}/forms${rest}`
const formPath = (property: string, form: string, rest = ''): string =>
  pathOf(property, `/${encodeURIComponent(form)}${rest}`)
const submissionPath = (property: string, form: string, id: string): string =>
  formPath(property, form, `/submissions/${encodeURIComponent(id)}`)

export interface FormsAsk {
  readonly search?: string
  readonly page: number
  readonly per_page: number
}

export const listForms = (property: string, ask: FormsAsk, signal?: AbortSignal) =>
  get<Page<ListedForm>>(pathOf(property), { query: { ...ask }, signal })

const MOST_PAGES = 5
const PER_PAGE = 100

/** All of them, for choosing one: a property has at most 500. */
export async function listAllForms(property: string, signal?: AbortSignal): Promise<readonly ListedForm[]> {
  const first = await listForms(property, { page: 1, per_page: PER_PAGE }, signal)
  const others = Array.from({ length: Math.min(first.last_page, MOST_PAGES) - 1 }, (_, index) =>
    listForms(property, { page: index + 2, per_page: PER_PAGE }, signal),
  )
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data)
}

export const readForm = (property: string, form: string, signal?: AbortSignal) =>
  get<{ form: OwnForm }>(formPath(property, form), { signal })
export const createForm = (property: string, asked: FormChange & { name: string; kind: FormKind }) =>
  post<{ form: OwnForm }>(pathOf(property), asked)
export const changeForm = (property: string, form: string, asked: FormChange) =>
  post<{ form: OwnForm }>(formPath(property, form), asked)
export const listFormEdits = (
  property: string,
  form: string,
  ask: { readonly page: number; readonly per_page: number },
  signal?: AbortSignal,
) => get<Page<Edit>>(formPath(property, form, '/edits'), { query: { ...ask }, signal })
export const undoFormEdit = (property: string, form: string, edit: string) =>
  post<{ form: OwnForm }>(formPath(property, form, `/edits/${encodeURIComponent(edit)}/undo`))
export const deleteForm = (property: string, form: string) => remove(formPath(property, form))

export const readFormStatistics = (property: string, form: string, ask: WindowAsk, signal?: AbortSignal) =>
  get<{ statistics: FormStatistics }>(formPath(property, form, '/statistics'), { query: { ...ask }, signal })

export const listSubmissions = (
  property: string,
  form: string,
  filter: SubmissionFilter & { page: number; per_page: number },
  signal?: AbortSignal,
) => get<Page<Submission>>(formPath(property, form, '/submissions'), { query: { ...filter }, signal })
export const readSubmission = (property: string, form: string, id: string, signal?: AbortSignal) =>
  get<{ submission: Submission }>(submissionPath(property, form, id), { signal })
export const markSubmission = (property: string, form: string, id: string, mark: Mark | null) =>
  post<{ submission: Submission }>(submissionPath(property, form, id), { mark })
export const deleteSubmission = (property: string, form: string, id: string) =>
  remove(submissionPath(property, form, id))
export const downloadSubmissions = (property: string, form: string, filter: SubmissionFilter): Promise<void> =>
  download(formPath(property, form, '/submissions/export'), `submissions-${form}.csv`, { query: { ...filter } })
