// A plain HTML form, posted by a browser without our library: opened, checked and stored in one request, by
// the same steps as a scripted one. What the library would have counted is not known and gives no points.
import type { Context } from '../context.ts'
import type { Pay } from '../kernel/pay.ts'
import { Problem } from '../kernel/problem.ts'
import type { SentPair } from '../http/multipart.ts'
import type { VisitorPage } from '../html/visitor-page.ts'
import type { Property } from '../properties/properties.ts'
import type { Answers, Form, Frozen } from '../forms/form-model.ts'
import { ownPage } from '../forms/own-pages.ts'
import { findFaults, frozenOf } from '../forms/rules.ts'
import { languageFor, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import { readAnswers } from './answers.ts'
import type { Sent, Step } from './check.ts'
import { type Caller, newToken } from './form-sessions.ts'
import { getFormByKey, openSession, refuseClosed } from './init.ts'
import { isOwnOrigin } from './origin.ts'
import { formPage, initialAnswers, type Spoken, thanksPage } from './plain-page.ts'
import { knownData, plainFrozen, readPlain, type PlainSent } from './plain-fields.ts'
import { keep } from './process.ts'
import { countTrap } from './records.ts'
import { openSentFiles, type SentFiles } from './sent-files.ts'
import { successOf } from './success.ts'
import { noteTry } from './tried.ts'
import { fileAnswer, fileFieldsOf, fileText, type PendingUpload } from '../uploads/uploads.ts'

export type PlainAnswer = { readonly location: string } | { readonly status: 200 | 422; readonly page: VisitorPage }

interface Asked {
  readonly form: Form
  readonly property: Property
  readonly caller: Caller
  readonly spoken: Spoken
  /** Domains of pages that belong to the owner. */
  readonly domains: readonly string[]
}

const refused = (sentence: string) => new Problem('validation_failed', sentence)

/** @throws Problem: not_found, or validation_failed with the reason for the owner. */
async function enter(context: Context, key: string, caller: Caller, isSent = false): Promise<Asked> {
  const { form, property } = await getFormByKey(context, key)
  if (isSent) noteTry(context, { form, property }, caller)
  refuseClosed(form)
  if (!form.is_plain_on)
    throw refused('The form does not take plain HTML: its owner can switch that on in its settings.')
  const language = languageFor(form.language, caller.visitorOf(property).language)
  const domains = [...property.domains, ...form.domains]
  return { form, property, caller, spoken: { language, said: visitorTexts(language) }, domains }
}

/** The page with the form: as our own page remembers it, else as the browser names it. */
const pageOf = ({ caller, domains }: Asked, { control }: PlainSent): string | undefined =>
  [control['_page'], caller.headers['referer'], caller.headers['origin']]
    .map((written) => (typeof written === 'string' ? ownPage(written, domains) : undefined))
    .find((page) => page !== undefined)

/** `_next` may be relative to the page with the form. */
function nextOf({ form, domains }: Asked, { control }: PlainSent, page: string | undefined): string | undefined {
  const next = control['_next'].trim()
  if (next !== '' && URL.canParse(next, page)) {
    const own = ownPage(new URL(next, page).href, domains)
    if (own !== undefined) return own
  }
  return form.redirect_url === null ? undefined : ownPage(form.redirect_url, domains)
}

/** The form session that a library would have opened earlier. */
async function openStep(context: Context, asked: Asked, frozen: Frozen, source: string): Promise<Step> {
  const { form, property, caller } = asked
  const opening = { token: newToken(context), form, frozen, body: { source } }
  const session = await openSession(context, caller, property, opening)
  return { session: { ...session, form }, property, visitor: caller.visitorOf(property) }
}

interface Filled {
  readonly frozen: Frozen
  readonly answers: Answers
  readonly sent: PlainSent
}

const siteOf = ({ domains, spoken }: Asked): string => domains[0] ?? spoken.said.form.send

function backToForm(
  { config }: Context,
  asked: Asked,
  { frozen, answers, sent }: Filled,
  errors: Readonly<Record<string, readonly string[]>>,
): PlainAnswer {
  const { _next, _source } = sent.control
  const hidden = { _next, _source, _page: pageOf(asked, sent) ?? '' }
  const { form, spoken } = asked
  const page = formPage({
    ...spoken,
    form,
    frozen,
    answers,
    errors,
    isAgain: true,
    hidden,
    serviceUrl: config.baseUrl,
    site: siteOf(asked),
  })
  return { status: 422, page }
}

async function store(
  context: Context,
  asked: Asked,
  { frozen, answers, sent }: Filled,
  uploads: readonly PendingUpload[],
): Promise<Step> {
  const step = await openStep(context, asked, frozen, sent.control['_source'])
  const body = { data: { [step.session.honeypot]: '' } }
  const atMs = context.now()
  await keep(context, { step, caller: asked.caller, answers, uploads, body, isScripted: false, atMs })
  return step
}

/** The answers with the files that were sent. */
function withFiles(sent: PlainSent, frozen: Frozen, uploads: readonly PendingUpload[]): Sent {
  const files = fileFieldsOf(frozen.fields).map((field) => {
    const own = uploads.filter((upload) => upload.field === field.name)
    return [field.name, fileAnswer(field, own.map(fileText))] as const
  })
  return { ...knownData(frozen, sent.data), ...Object.fromEntries(files) }
}

/** `isStored`: else nothing of what was sent is to be kept. */
async function decide(
  context: Context,
  asked: Asked,
  pairs: readonly SentPair[],
  files: Pick<SentFiles, 'uploads' | 'errors'>,
): Promise<{ readonly isStored: boolean; readonly answer: PlainAnswer }> {
  const { form, property, spoken, caller } = asked
  const pay: Pay = (costMs) => caller.payFor(caller.visitorOf(property), costMs)
  const sent = readPlain(pairs)
  const uploads = files.uploads()
  const frozen = plainFrozen(form, sent.data, pay)
  const answers = readAnswers(frozen, withFiles(sent, frozen, uploads))
  const filled = { frozen, answers, sent }
  const errors = { ...findFaults(frozen, answers, pay, spoken.said), ...files.errors }
  if (Object.keys(errors).length > 0) return { isStored: false, answer: backToForm(context, asked, filled, errors) }
  if (sent.control['_gotcha'] !== '') {
    const { session } = await openStep(context, asked, frozen, sent.control['_source'])
    await countTrap(context.records, session.token_hash)
    return { isStored: false, answer: backToForm(context, asked, filled, {}) }
  }
  // Created before anything is stored, as for a scripted form.
  const html = successOf({ success_html: null, form }, null, { answers, pay, said: spoken.said })
  await store(context, asked, filled, uploads)
  const page = pageOf(asked, sent)
  const location = nextOf(asked, sent, page)
  const answer = location === undefined ? { status: 200 as const, page: thanksPage(spoken, html, page) } : { location }
  return { isStored: true, answer }
}

/** Reads what was sent; files as they are taken. */
export type ReadSent = (files: Pick<SentFiles, 'limits' | 'take'>) => Promise<readonly SentPair[]>

/**
 * Stored when the answer is a location or has status 200. A filled-in trap is no refusal for good, since a
 * browser may have filled it in: the page that comes back has none.
 * @throws Problem: not_found; validation_failed with the reason for the owner; rate_limited; no_room.
 */
export async function sendPlainForm(
  context: Context,
  key: string,
  caller: Caller,
  readSent: ReadSent,
): Promise<PlainAnswer> {
  const asked = await enter(context, key, caller, true)
  const { form, property, spoken, domains } = asked
  if (!isOwnOrigin(caller.headers, domains, context.config.baseUrl))
    throw refused('The page is on a domain that is registered neither for the form nor for its property.')
  const { fields } = frozenOf(form)
  const files = openSentFiles(context, { fields, property, caller, sessionHash: '', said: spoken.said })
  let isStored = false
  try {
    const decided = await decide(context, asked, await readSent(files), files)
    isStored = decided.isStored
    return decided.answer
  } finally {
    if (!isStored) await files.discard()
  }
}

/**
 * A managed form as a page of its own, for a link in an email or a profile. @throws Problem('not_found') for
 * an open one, whose fields are on the owner's page; and as sendPlainForm.
 */
export async function showPlainForm(context: Context, key: string, caller: Caller): Promise<PlainAnswer> {
  const asked = await enter(context, key, caller)
  const { form, property, spoken } = asked
  if (form.kind === 'open') throw new Problem('not_found', 'The form is on a page of its owner.')
  const frozen = plainFrozen(form, {}, (costMs) => caller.payFor(caller.visitorOf(property), costMs))
  const answers = initialAnswers(form)
  const serviceUrl = context.config.baseUrl
  return {
    status: 200,
    page: formPage({
      ...spoken,
      form,
      frozen,
      answers,
      errors: {},
      isAgain: false,
      hidden: {},
      site: siteOf(asked),
      serviceUrl,
    }),
  }
}
