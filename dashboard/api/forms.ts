// Forms, what was sent with them, and their figures.
import type {
  FieldOption,
  FormField,
  FormKind,
  Mark,
  Presentation,
  Validation,
  Verdict,
} from '../../server/forms/form-model.ts'
import type { FormJson as OwnForm, ListedFormJson as ListedForm } from '../../server/forms/schema.ts'
import type { StatisticsJson as FormStatistics } from '../../server/forms/statistics-schema.ts'
import type { SubmissionJson as Submission } from '../../server/submissions/schema.ts'
import type { FormMailChange, FormMailJson as FormMail } from '../../server/form-mail/schema.ts'
import { download, get, type OrderAsk, type Page, post, remove } from '../api.ts'
import { apiPath } from '../place.ts'
import type { Edit } from './edits.ts'

export type {
  FieldOption,
  FormMail,
  FormField,
  FormKind,
  FormStatistics,
  ListedForm,
  Mark,
  OwnForm,
  Presentation,
  Submission,
  Validation,
  Verdict,
}

type Told =
  | 'id'
  | 'key'
  | 'kind'
  | 'stored_ips_until_ts'
  | 'fullness'
  | 'tried'
  | 'revision'
  | 'created_ts'
  | 'updated_ts'

export type FormChange = Partial<
  Omit<OwnForm, Told | 'success_html' | 'redirect_url' | 'ip_retention_days'> & {
    readonly success_html: string | null
    readonly redirect_url: string | null
    readonly ip_retention_days: number | null
    /** The one that was read: refused (409) when the form is at another one. */
    readonly if_revision: number
  }
>

export interface SubmissionFilter {
  readonly show?: 'kept' | 'unread' | 'spam' | 'all' | undefined
  readonly verdict?: Verdict | undefined
  readonly search?: string | undefined
  readonly from_ts?: number | undefined
  readonly to_ts?: number | undefined
}

export interface WindowQuery {
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

export interface FormsAsk extends OrderAsk {
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
/** @returns how many submissions are looked at, in the background. */
export const applyToEarlier = (property: string, form: string) =>
  post<{ submissions: number }>(formPath(property, form, '/contacts'))
export const readFormMail = (property: string, form: string, signal?: AbortSignal) =>
  get<FormMail>(formPath(property, form, '/mail'), { signal })
export const changeFormMail = (property: string, form: string, asked: FormMailChange) =>
  post<FormMail>(formPath(property, form, '/mail'), asked)
export const deleteForm = (property: string, form: string) => remove(formPath(property, form))

export const readFormStatistics = (property: string, form: string, ask: WindowQuery, signal?: AbortSignal) =>
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
export const markSubmissionRead = (property: string, form: string, id: string, is_read: boolean) =>
  post<{ is_read: boolean }>(`${submissionPath(property, form, id)}/read`, { is_read })
export const markAllRead = (property: string, form: string) =>
  post<{ read: number }>(formPath(property, form, '/submissions/read'), {})
export const deleteSubmission = (property: string, form: string, id: string) =>
  remove(submissionPath(property, form, id))
/** For a link: the service names the file by its content, and has browsers save it. */
export const fileAddress = (property: string, form: string, id: string, file: string): string =>
  `${apiPath}${submissionPath(property, form, id)}/files/${encodeURIComponent(file)}`
export const downloadSubmissions = (property: string, form: string, filter: SubmissionFilter): Promise<void> =>
  download(formPath(property, form, '/submissions/export'), `submissions-${form}.csv`, { query: { ...filter } })
