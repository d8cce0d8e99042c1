// The pages around a plain HTML form: the form with messages at its fields, the thanks, and what is said when
// nothing can be sent. Answers come back as text, and nothing here runs.
import { escapedHtml } from '../html/form-html.ts'
import { type VisitorPage, visitorPage } from '../html/visitor-page.ts'
import type { Answers, AnswerValue, FieldOption, Form, FormField, Frozen } from '../forms/form-model.ts'
import type { Notice, VisitorLanguage, VisitorTexts } from '../visitor-texts/visitor-texts.ts'
import { blueprintOf } from './blueprint.ts'

/** What every page of a form needs. */
export interface Spoken {
  readonly language: VisitorLanguage
  readonly said: VisitorTexts
}

const attributes = (values: Readonly<Record<string, string | number | boolean | null | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapedHtml(String(value))}"`))
    .join('')

interface Shown extends Pick<
  FormField,
  'name' | 'label' | 'placeholder' | 'help' | 'options' | 'autocomplete' | 'rows' | 'file' | 'step'
> {
  readonly type: string
  readonly isNeeded: boolean
}

const bare = { placeholder: null, help: null, options: [], autocomplete: null, rows: null, isNeeded: false } as const

/** Of an open form only what was sent is known. */
function shownFields(form: Form, frozen: Frozen): readonly Shown[] {
  if (form.kind === 'open') return frozen.fields.map((field) => ({ ...field, ...bare }))
  return blueprintOf(form).fields.map((field) => ({ ...field, isNeeded: field.required }))
}

interface Filled {
  readonly field: Shown
  readonly id: string
  readonly value: AnswerValue
  readonly faults: readonly string[]
  readonly said: VisitorTexts
}

const describedBy = ({ field, id, faults }: Filled) =>
  [field.help === null ? '' : `${id}-help`, faults.length > 0 ? `${id}-bad` : ''].filter(Boolean).join(' ') || null

const stateOf = (filled: Filled) => ({
  'aria-invalid': filled.faults.length > 0 ? 'true' : null,
  'aria-describedby': describedBy(filled),
})

const notes = ({ field, id, faults }: Filled): string =>
  (field.help === null ? '' : `<p class="help" id="${id}-help">${escapedHtml(field.help)}</p>`) +
  (faults.length > 0 ? `<p class="bad" id="${id}-bad">${escapedHtml(faults.join(' '))}</p>` : '')

const need = ({ field, said }: Filled): string =>
  field.isNeeded ? ` <span class="need">(${escapedHtml(said.form.required)})</span>` : ''

const isChosen = ({ value }: Filled, option: FieldOption): boolean => [value].flat().includes(option.value)

function select(filled: Filled, isMultiple: boolean): string {
  const { field, id, said } = filled
  const first = isMultiple ? '' : `<option value="">${escapedHtml(said.form.choose)}</option>`
  const options = field.options.map(
    (option) =>
      `<option${attributes({ value: option.value, selected: isChosen(filled, option) })}>${escapedHtml(option.label)}</option>`,
  )
  const own = attributes({ id, name: field.name, multiple: isMultiple, ...stateOf(filled) })
  return `<select${own}>${first}${options.join('')}</select>`
}

function choices(filled: Filled): string {
  const { field, id } = filled
  const type = field.type === 'radio' ? 'radio' : 'checkbox'
  const rows = field.options.map((option, at) => {
    const own = attributes({
      type,
      id: at === 0 ? id : null,
      name: field.name,
      value: option.value,
      checked: isChosen(filled, option),
      ...stateOf(filled),
    })
    return `<label class="choice"><input${own}> <span>${escapedHtml(option.label)}</span></label>`
  })
  return `<fieldset><legend>${escapedHtml(field.label)}${need(filled)}</legend>${rows.join('')}${notes(filled)}</fieldset>`
}

function singleBox(filled: Filled): string {
  const { field, id, value } = filled
  const own = attributes({
    type: 'checkbox',
    id,
    name: field.name,
    value: 'on',
    checked: value !== '',
    ...stateOf(filled),
  })
  return `<div><label class="choice"><input${own}> <span>${escapedHtml(field.label)}${need(filled)}</span></label>${notes(filled)}</div>`
}

function textControl(filled: Filled): string {
  const { field, id, value } = filled
  const text = [value].flat().join(', ')
  const own = {
    id,
    name: field.name,
    placeholder: field.placeholder,
    autocomplete: field.autocomplete,
    ...stateOf(filled),
  }
  if (field.type === 'textarea')
    return `<textarea${attributes({ ...own, rows: field.rows ?? 5 })}>\n${escapedHtml(text)}</textarea>`
  if (field.type === 'file') {
    const multiple = (field.file?.max_count ?? 1) > 1
    // Browsers keep no chosen files: they are chosen again.
    return `<input${attributes({ type: 'file', ...own, placeholder: null, accept: field.file?.types.join(','), multiple })}>`
  }
  return `<input${attributes({ type: field.type, ...own, value: text })}>`
}

/** Without a script all steps are on one page, each under its title. */
const stepHtml = ({ step }: Shown): string => (step === undefined ? '' : `<h2>${escapedHtml(step)}</h2>`)

function fieldHtml(filled: Filled): string {
  const { field, id } = filled
  if (field.type === 'hidden')
    return [filled.value]
      .flat()
      .map((value) => `<input${attributes({ type: 'hidden', name: field.name, value })}>`)
      .join('')
  if (field.type === 'checkbox' && field.options.length === 0) return singleBox(filled)
  if (field.type === 'radio' || field.type === 'checkbox') return choices(filled)
  const control = field.type.startsWith('select')
    ? select(filled, field.type === 'select-multiple')
    : textControl(filled)
  return `<div><label for="${id}">${escapedHtml(field.label)}${need(filled)}</label>${control}${notes(filled)}</div>`
}

/** @param isTitled the page has the title of the notice already. */
const noticeHtml = ({ title, text }: Notice, { look, isTitled }: { look: string; isTitled: boolean }): string =>
  `<div class="notice${look}" role="alert">${isTitled ? '' : `<p><strong>${escapedHtml(title)}</strong></p>`}<p>${escapedHtml(text)}</p></div>`

export interface FormPage extends Spoken {
  readonly form: Form
  readonly frozen: Frozen
  readonly answers: Answers
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Nothing is wrong, but it has to be sent once more. */
  readonly isAgain: boolean
  /** Fields for the service, as they were sent: kept for the next attempt. */
  readonly hidden: Readonly<Record<string, string>>
  readonly serviceUrl: string
  /** The heading of a form without one; owners alone know its name. */
  readonly site: string
}

/** In text of no language: of hidden fields, which no visitor can correct, and of fields without a place. */
const unplaced = ({ errors }: FormPage, shown: readonly Shown[]): string => {
  const visible = new Set(shown.filter(({ type }) => type !== 'hidden').map(({ name }) => name))
  const faults = Object.entries(errors).flatMap(([name, texts]) => (visible.has(name) ? [] : texts))
  return faults.map((fault) => `<p class="bad">${escapedHtml(fault)}</p>`).join('')
}

const branding = ({ form, serviceUrl }: FormPage): string =>
  form.branding
    ? `<p class="quiet"><a href="${escapedHtml(serviceUrl)}" rel="noopener nofollow">Forms by Footfall</a></p>`
    : ''

/** The form itself, as it was filled in; it is sent to the address that it came from. */
export function formPage(page: FormPage): VisitorPage {
  const { form, frozen, answers, errors, said, language, hidden, isAgain } = page
  const { header, footer, button, theme } = form.presentation
  const shown = shownFields(form, frozen)
  const fields = shown.map(
    (field, at) =>
      stepHtml(field) +
      fieldHtml({ field, id: `f${at}`, value: answers[field.name] ?? '', faults: errors[field.name] ?? [], said }),
  )
  const kept = Object.entries(hidden).filter(([, value]) => value !== '')
  const isFaulty = Object.keys(errors).length > 0
  const notice = isFaulty ? said.form.check : isAgain ? said.form.again : undefined
  const send = form.kind === 'managed' ? button.label : said.form.send
  const content =
    (header?.text ? `<p>${escapedHtml(header.text)}</p>` : '') +
    (notice ? noticeHtml(notice, { look: isFaulty ? '' : ' info', isTitled: header === null }) : '') +
    unplaced(page, shown) +
    // The service's own messages are shown, in the language of the page.
    `<form method="post"${shown.some(({ type }) => type === 'file') ? ' enctype="multipart/form-data"' : ''} novalidate>${fields.join('')}` +
    kept.map(([name, value]) => `<input${attributes({ type: 'hidden', name, value })}>`).join('') +
    `<button>${escapedHtml(send)}</button></form>` +
    (footer ? `<p class="quiet">${escapedHtml(footer.text)}</p>` : '') +
    branding(page)
  const title = header?.title ?? notice?.title ?? page.site
  return visitorPage({ language, title, content, accent: theme.accent, hasForm: true })
}

const backLink = ({ said }: Spoken, back: string | undefined): string =>
  back === undefined ? '' : `<p><a href="${escapedHtml(back)}">${escapedHtml(said.form.back)}</a></p>`

/** @param html sanitised. @param back a page of the owner's. */
export const thanksPage = (spoken: Spoken, html: string, back: string | undefined): VisitorPage =>
  visitorPage({
    language: spoken.language,
    title: spoken.said.form.thanks.title,
    content: `<div>${html}</div>${backLink(spoken, back)}`,
  })

/** @param reason for the owner, in English; '' for none. */
export const noticePage = ({ language }: Spoken, { title, text }: Notice, reason = ''): VisitorPage =>
  visitorPage({
    language,
    title,
    content: `<p>${escapedHtml(text)}</p>${reason === '' ? '' : `<p class="quiet" lang="en">${escapedHtml(reason)}</p>`}`,
  })

/** What stands in the fields of a form that nobody has filled in yet. */
export const initialAnswers = ({ fields }: Form): Answers =>
  Object.fromEntries(fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))
