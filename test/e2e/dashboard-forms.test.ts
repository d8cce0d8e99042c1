// Forms in the dashboard, in Chromium: one is built, put on a page and sent; what arrives is read, judged,
// searched and taken along.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson } from '../support/accounts.ts'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Dashboard,
  openDashboard,
  untilTrue,
} from '../support/dashboard.ts'
import { type Form, type FormFlow, flowOf, personSignals, sent } from '../support/form-flow.ts'
import { addSubmissions } from '../support/submissions.ts'
import { untilEqual, untilMatch, untilStill } from '../support/until.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>=1+1`

let dashboard: Dashboard
let flow: FormFlow
const ends: (() => Promise<void>)[] = []
before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) })
  flow = flowOf(dashboard.footfall)
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => dashboard.leavePages())

const path = (rest: string): string => `/properties/${dashboard.footfall.property.id}${rest}`
const openAsOwner = (rest: string, how: object = {}) => dashboard.open(path(rest), { as: dashboard.owner, ...how })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true }).click()
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
/** Answers below 500 that a page expects; the browser notes them all the same. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4\d\d/.test(error))

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
async function formsOf(): Promise<any[]> {
  const { id } = dashboard.footfall.property
  return (await dashboard.footfall.call('GET', `/manage/properties/${id}/forms`)).json.data.data
}

/** A form of the property, made by a script. */
async function addForm(body: object): Promise<Form & { id: string }> {
  return flow.create(dashboard.footfall.property.id, { ...body })
}

const labels = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Form fields' })
    .locator('[aria-expanded]:not([aria-haspopup]) > :first-child')
    .allTextContents()

test('a form is built with the keyboard and the mouse, seen as visitors will see it, and published', async () => {
  const { page, errors } = await openAsOwner('/forms')
  await says(page, 'No forms yet')
  await assertAccessible(page)
  await press(page, 'New form')
  await page.getByLabel('Name', { exact: true }).fill('Quotes')
  await press(page, 'Create form')
  await page.getByRole('heading', { name: 'Quotes' }).waitFor()
  await untilEqual(() => labels(page), ['Name', 'Email *', 'Message *'])

  await press(page, 'Add field')
  await choose(page, 'Dropdown')
  await page.getByLabel('Label').fill('How many?')
  await page.getByLabel('Options').fill('1\nmore | More than one')
  await page.getByLabel('Required').check()
  const preview = page.getByRole('group', { name: 'Preview' })
  const choices = preview.getByLabel('How many? *').locator('option')
  await untilEqual(() => choices.allTextContents(), ['', '1', 'More than one'])
  const handle = page.getByRole('button', { name: 'Move How many?' })
  await handle.focus()
  // The focus goes along, whichever way.
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowUp']) {
    await page.keyboard.press(key)
    await handle.and(page.locator(':focus')).waitFor()
  }
  await untilEqual(() => labels(page), ['Name', 'How many? *', 'Email *', 'Message *'])
  await page.getByRole('button', { name: /^How many\?/ }).click()
  await dragBelow(page, 'Name', 'Email')
  await untilEqual(() => labels(page), ['How many? *', 'Email *', 'Name', 'Message *'])
  await assertAccessible(page)

  // What is not saved stays while other parts are looked at.
  await tab(page, 'Settings')
  await tab(page, 'Builder')
  await untilEqual(() => labels(page), ['How many? *', 'Email *', 'Name', 'Message *'])
  await tab(page, 'Design')
  await page.getByLabel('Show a heading').check()
  await page.getByLabel('Heading', { exact: true }).fill('What <b>may</b> it cost?')
  await preview.getByRole('heading', { name: 'What <b>may</b> it cost?' }).waitFor()
  await assertAccessible(page)
  await press(page, 'Save')
  await says(page, 'Saved')
  await press(page, 'Publish')
  const placing = page.getByRole('dialog', { name: 'Put it on a page' })
  await placing.getByText('data-footfall-form="fk_').waitFor()
  await assertAccessible(page)
  await placing.getByRole('button', { name: 'Done' }).click()

  const [form] = await formsOf()
  assert.deepEqual(
    form.fields.map(({ name }: { name: string }) => name),
    ['how_many', 'email', 'name', 'message'],
  )
  assert.deepEqual(form.validation.how_many, { required: null })
  assert.equal(form.is_published, true)
  await tab(page, 'Install')
  await says(page, `data-footfall-form="${form.key}"`)
  await assertAccessible(page)

  await page.getByRole('link', { name: 'All forms' }).click()
  const listed = page.getByRole('link', { name: 'Quotes', exact: true })
  await listed.waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('nothing of it')
  await says(page, 'No forms found')
  await assertAccessible(page)
  await press(page, 'Show all forms')
  await page.getByRole('searchbox').fill('QUOTE')
  await page.waitForURL(/q=QUOTE/)
  await listed.waitFor()
  assert.deepEqual(errors, [])
})

test('a form from a template has steps; the preview follows what is edited; a copy is a draft of its own', async () => {
  const { page, errors } = await openAsOwner('/forms')
  await press(page, 'New form')
  await page.getByLabel('Template').selectOption({ label: 'Quote request' })
  await untilEqual(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Quote request')
  await press(page, 'Create form')
  await page.getByRole('heading', { name: 'Quote request' }).waitFor()
  const preview = page.getByRole('group', { name: 'Preview' })
  await preview.getByRole('heading', { name: '1/3 Your project' }).waitFor()
  // In a popup visitors see a button first: the preview is what is inside.
  await tab(page, 'Design')
  await page.getByLabel('Display').selectOption({ label: 'Popup' })
  await says(page, 'Opens in a popup when visitors click “Request a quote”.')
  await tab(page, 'Fields')
  await page.getByRole('button', { name: /^Company/ }).click()
  await preview.getByRole('heading', { name: '3/3 About you' }).waitFor()
  const label = page.getByLabel('Label')
  await label.fill('Your company')
  await preview.getByLabel('Your company').waitFor()
  await label.and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Remove step Budget and timing' }).click()
  await press(page, 'Add step')
  await page.getByLabel('Step title').last().fill('Nothing yet')
  await assertAccessible(page)
  await tab(page, 'After submission')
  await says(page, 'Thank you. Your message has been sent.')
  await press(page, 'Save')
  await says(page, 'Saved')

  await press(page, 'More actions')
  await choose(page, 'Duplicate')
  await page.getByRole('heading', { name: 'Quote request (copy)' }).waitFor()
  await page.getByText('Draft', { exact: true }).waitFor()
  const [copy, original] = await formsOf()
  assert.equal(original.name, 'Quote request')
  const stepsOf = (form: typeof copy) => form.fields.flatMap(({ step }: { step?: string }) => step ?? [])
  assert.deepEqual(stepsOf(copy), ['Your project', 'About you'])
  for (const member of ['fields', 'validation', 'button', 'form_type', 'creates_contacts', 'branding'])
    assert.deepEqual(copy[member], original[member], member)
  assert.deepEqual([copy.is_published, copy.branding, copy.key === original.key], [false, false, false])
  assert.deepEqual(errors, [])
})

/** By its handle, as with a mouse. */
async function dragBelow(page: Page, label: string, target: string): Promise<void> {
  await untilStill(page)
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}:` }).boundingBox()
  const [from, to] = [await handle(label), await handle(target)]
  assert.ok(from && to)
  const x = from.x + from.width / 2
  await page.mouse.move(x, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(x, to.y + to.height / 2, { steps: 4 })
  await page.mouse.move(x, to.y + to.height, { steps: 2 })
  await page.mouse.up()
}

test('what the service refuses is said at its field, and what visitors see after sending cannot run', async () => {
  const form = await addForm({
    name: 'Refused',
    kind: 'managed',
    fields: [
      { name: 'one', label: 'One' },
      { name: 'two', label: 'Two' },
    ],
    success_html: '<p>Thanks</p>',
  })
  const { page, errors } = await openAsOwner(`/forms/${form.id}/build`)
  await page.getByRole('button', { name: /^Two/ }).click()
  await page.getByText('More settings').click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('one')
  await page.getByRole('button', { name: /^Two/ }).click()
  await press(page, 'Save')
  await says(page, 'Name is used twice.')
  await untilEqual(() => name.getAttribute('aria-invalid'), 'true')
  await name.fill('two')
  await press(page, 'Add rule')
  await page.getByLabel('Rule', { exact: true }).selectOption('regex')
  await page.getByLabel('Value', { exact: true }).fill('[')
  await press(page, 'Save')
  await page.locator('select[aria-invalid=true]').waitFor()
  await press(page, 'Remove rule')
  await tab(page, 'After submission')
  await page.getByLabel('Thank-you message').fill(`<p>Thanks</p><script>alert(1)</script>${HOSTILE}`)
  await page.frameLocator('iframe').getByText('Thanks').waitFor()
  await assertAccessible(page)
  await press(page, 'Save')
  await untilTrue(page, `!document.querySelector('textarea').value.includes('onerror')`)
  // The frame's own policy keeps the script from running, and the browser says so.
  assert.deepEqual(
    unexpected(errors).filter((error) => !/Content Security Policy|net::ERR/.test(error)),
    [],
  )
})

test('what was sent is read, judged, searched, taken along and deleted; none of it runs', async () => {
  const { footfall } = dashboard
  const form = await addForm({ name: 'Contact' })
  const { session_id: session } = (await footfall.track.load({ page: 'https://example.com/pricing' })).json
  for (const [name, email] of [
    [HOSTILE, 'eve@example.com'],
    ['Ada', 'ada@example.com'],
  ]) {
    const opened = await flow.open(form, undefined, { headers: { 'x-svc-sid': session } })
    const { status, text } = await flow.send(opened, { name, email })
    assert.equal(status, 200, text)
  }
  await addSubmissions(footfall.context.records, footfall.property.id, form.id, [
    {
      verdict: 'dropped',
      score: 95,
      reasons: '[{"reason":"instant","points":45}]',
      submitted_ms: footfall.clock.now(),
    },
  ])
  const { page, errors } = await openAsOwner(`/forms/${form.id}`)
  await page.getByRole('link', { name: HOSTILE }).click()
  const drawer = page.getByRole('dialog', { name: 'Submission', exact: true })
  await drawer.getByText(HOSTILE).waitFor()
  await untilMatch(() => page.url(), /submission=sb_/)
  assert.match((await drawer.getByRole('link', { name: 'View visit' }).getAttribute('href')) ?? '', /\/sessions\//)
  await assertAccessible(page)
  const reply = drawer.getByRole('link', { name: 'Reply' })
  assert.match((await reply.getAttribute('href')) ?? '', /^mailto:eve@example\.com\?subject=Re%3A%20/)
  // The list is newest first: Ada came after.
  await drawer.getByRole('button', { name: 'Previous' }).press('Enter')
  await drawer.getByText('ada@example.com').waitFor()
  await drawer.getByRole('button', { name: 'Next' }).press('Enter')
  await drawer.getByText('eve@example.com').waitFor()
  await drawer.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Mark as spam' }).press('Enter')
  await drawer.getByRole('button', { name: 'Not spam' }).waitFor()
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Use spam score' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: HOSTILE }).waitFor({ state: 'detached' })

  await page.getByLabel('Show', { exact: true }).selectOption('spam')
  await page.getByRole('row').nth(2).waitFor()
  await untilEqual(() => page.getByRole('row').count(), 3)
  await page.getByRole('link', { name: 'Ann' }).click()
  await drawer.getByText('+45').waitFor()
  await drawer.getByText('Sent within a second of opening the form').waitFor()
  await drawer.getByRole('button', { name: 'Not spam' }).click()
  await says(page, 'Marked as not spam')
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await press(page, 'Delete submission')
  await drawer.waitFor({ state: 'detached' })

  await page.getByLabel('Show', { exact: true }).selectOption('all')
  await page.getByRole('link', { name: HOSTILE }).waitFor()
  await untilEqual(() => page.getByRole('row').count(), 3)
  await page.getByRole('heading', { name: 'Contact' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('ADA@')
  await page.waitForURL(/q=ADA/)
  await page.getByRole('link', { name: HOSTILE }).waitFor({ state: 'detached' })
  await untilEqual(() => page.getByRole('row').count(), 2)
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download CSV')])
  const csv = readFileSync(await file.path(), 'utf8')
  assert.match(csv, /ada@example\.com/)
  assert.doesNotMatch(csv, /eve@example\.com/)
  await page.goBack()
  await tab(page, 'Statistics')
  await page.getByText('Conversion').waitFor()
  await page.locator('dd', { hasText: '2' }).first().waitFor()
  await assertAccessible(page)
  assert.deepEqual(errors, [])
})

test('dark and on a phone; viewers read and change nothing; a form goes when its name is typed', async () => {
  const { footfall } = dashboard
  const form = await addForm({
    name: 'Last',
    kind: 'managed',
    fields: [{ name: 'a_field_with_a_name', label: 'A question that is a good deal longer than questions are' }],
  })
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const seen = await dashboard.open(path(`/forms/${form.id}`), { as: viewer, theme: 'dark', width: 360 })
  await says(seen.page, 'No submissions yet')
  await assertAccessible(seen.page)
  await assertNoSidewaysScroll(seen.page)
  assert.equal(await seen.page.getByRole('tab', { name: 'Builder' }).count(), 0)
  assert.equal(await seen.page.getByRole('button', { name: 'Unpublish' }).count(), 0)
  assert.equal(await seen.page.getByRole('button', { name: 'Download CSV' }).count(), 0)
  assert.deepEqual(seen.errors, [])

  const { page, errors } = await openAsOwner(`/forms/${form.id}/build`, { width: 360, theme: 'dark' })
  await page.getByRole('button', { name: /^A question/ }).click()
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await tab(page, 'Settings')
  await page.getByLabel('Delete submissions after (days)').fill('4000')
  await press(page, 'Save')
  await says(page, /3650/)
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await press(page, 'Delete form')
  const ask = page.getByRole('dialog')
  const sure = ask.getByRole('button', { name: 'Delete form' })
  await untilEqual(() => sure.isDisabled(), true)
  await ask.getByLabel(/Type/).fill('Last')
  await sure.click()
  await page.getByRole('heading', { name: 'Forms', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Contact' }).waitFor()
  await page.getByRole('link', { name: 'Last' }).waitFor({ state: 'detached' })
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  assert.deepEqual(unexpected(errors), [])
})

test('a form stores IP addresses only once its owner says so; of those from before every page about forms tells until when they stay', async () => {
  const { footfall } = dashboard
  const form = await addForm({ name: 'Private' })
  const send = async (address: string): Promise<void> => {
    const opened = await flow.open(form, undefined, { address })
    footfall.clock.advance(30_000)
    assert.equal((await flow.send(opened, { name: 'Ada', email: 'ada@example.com' }, { address })).json.validated, true)
  }
  await send('203.0.113.61')
  const { records } = footfall.context
  const until = Date.UTC(2099, 0, 2) / 1000
  await records.updateTable('forms').set({ stored_ips_until_ts: until }).where('id', '=', form.id).execute()

  for (const [rest, words] of [
    ['/forms', /deleted from 2 Jan 2099/],
    ['/settings/data', /deleted from 2 Jan 2099/],
    [`/forms/${form.id}`, /deleted on 2 Jan 2099/],
  ] as const) {
    const { page, errors } = await openAsOwner(rest)
    await says(page, words)
    await assertAccessible(page)
    assert.deepEqual(errors, [])
    await dashboard.leavePages()
  }

  const { page, errors } = await openAsOwner(`/forms/${form.id}`)
  await page.getByRole('link', { name: /Ada/ }).first().click()
  await says(page, 'not stored')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Go to settings' }).click()
  await page.getByLabel('Store IP addresses').check()
  const days = page.getByLabel('Delete IP addresses after (days)')
  await days.fill('90')
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await page.locator('form', { has: days }).getByRole('button', { name: 'Save' }).click()
  await page.getByText(/deleted on 2 Jan 2099/).waitFor({ state: 'detached' })
  const stored = (await formsOf()).find(({ id }) => id === form.id)
  assert.deepEqual([stored.is_ip_kept, stored.ip_retention_days, stored.stored_ips_until_ts], [true, 90, null])

  await send('203.0.113.62')
  const later = await openAsOwner(`/forms/${form.id}`)
  await later.page.getByRole('link', { name: /Ada/ }).first().click()
  await says(later.page, '203.0.113.62')
  assert.deepEqual([...errors, ...later.errors], [])
})

test('a form without scripts is switched on, corrected on its own page, and leads back to the owner', async () => {
  const form = await addForm({
    name: 'Offers',
    kind: 'managed',
    fields: [
      { name: 'name', type: 'text', label: 'Name' },
      { name: 'email', type: 'email', label: 'Email', help: 'We answer within a day.' },
      { name: 'topic', type: 'radio', label: 'Topic', options: ['Weddings', 'Dinners'] },
    ],
    validation: { name: { required: null } },
    header: { title: 'Ask for an offer', text: 'Tell us what you have in mind.' },
  })
  const { page, errors } = await openAsOwner(`/forms/${form.id}/settings`)
  await page.getByLabel('Accept plain HTML forms').check()
  await page.getByLabel('Language of messages').selectOption('German')
  await page.getByLabel('Redirect to').fill('https://elsewhere.example/')
  const sending = page.locator('form', { has: page.getByLabel('Redirect to') })
  await sending.getByRole('button', { name: 'Save' }).click()
  await says(page, /must be on a domain of the property/)
  await page.getByLabel('Redirect to').fill('')
  await sending.getByRole('button', { name: 'Save' }).click()
  await says(page, 'Saved')
  await assertAccessible(page)
  await tab(page, 'Install')
  await says(page, `action="${dashboard.footfall.url}/f/${form.key}"`)
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)

  await page.goto(`${dashboard.footfall.url}/f/${form.key}`)
  await page.getByRole('heading', { name: 'Ask for an offer' }).waitFor()
  await page.getByLabel('Email').fill('ada')
  await page.getByLabel('Dinners').check()
  await press(page, 'Send')
  await says(page, 'Bitte füllen Sie „Name“ aus.')
  assert.equal(await page.getByLabel('Email').inputValue(), 'ada')
  assert.equal(await page.getByLabel('Dinners').isChecked(), true)
  await page.setViewportSize({ width: 360, height: 740 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await assertAccessible(page)
  }
  await assertNoSidewaysScroll(page)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor()
  await assertAccessible(page)
  assert.deepEqual(unexpected(errors), [])
  const stored = dashboard.footfall.context.records.selectFrom('submissions').select('fields')
  const { fields } = await stored.where('form_id', '=', form.id).executeTakeFirstOrThrow()
  assert.deepEqual(
    (JSON.parse(fields) as { value: unknown }[]).map(({ value }) => value),
    ['Ada', 'ada@example.com', 'Dinners'],
  )
})

test('a submission makes a contact; the two and the consent lead to each other', async () => {
  const form = await addForm({
    name: 'Newsletter',
    kind: 'managed',
    fields: [
      { name: 'who', type: 'text', label: 'Your name' },
      { name: 'email', type: 'email', label: 'Email' },
      { name: 'news', type: 'checkbox', label: 'Yes, send me the newsletter.' },
    ],
  })
  const { page, errors } = await openAsOwner(`/forms/${form.id}/settings`)
  await page.getByLabel('Full name field').selectOption('Your name')
  const panel = page.locator('form', { has: page.getByLabel('Full name field') })
  await panel.getByRole('button', { name: 'Save' }).click()
  await says(page, 'Saved')
  await assertAccessible(page)
  // Somebody of their own: the same signals as in other tests would be those of a program.
  const from = { address: '203.0.113.81' }
  const opened = await flow.open(form, {}, from)
  const answers = { who: 'Edith Clarke', email: 'edith@example.com', news: 'on' }
  await flow.process(opened.token, { ...sent(opened, answers), _sig: { ...personSignals, dur: 20_777, k: 51 } }, from)
  const search = { query: { search: 'edith' } }
  const found = async () => (await dashboard.footfall.call('GET', '/v2/property/contacts', search)).json.data.total
  await untilEqual(found, 1)
  await tab(page, 'Submissions')
  await page.getByText('Edith Clarke').first().click()
  await page.getByRole('link', { name: 'View contact' }).click()
  await page.getByRole('heading', { name: 'Edith Clarke' }).waitFor()
  await says(page, 'Yes, send me the newsletter.')
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Newsletter' }).first().click()
  await page.getByRole('dialog').getByText('edith@example.com').waitFor()
  assert.deepEqual(unexpected(errors), [])
})

test('what nobody has opened is marked, counted in the list of forms, and read once opened', async () => {
  const form = await addForm({ name: 'Inbox' })
  const { id } = dashboard.footfall.property
  for (const name of ['Ada', 'Bea', 'Cid'])
    assert.equal((await flow.send(await flow.open(form), { name, email: `${name}@example.com` })).json.validated, true)
  const { page, errors } = await openAsOwner('/forms')
  await page.getByRole('row', { name: /Inbox.*3 unread submissions/ }).waitFor()
  await page.getByRole('link', { name: /Inbox/ }).click()
  const unread = page.getByRole('row', { name: /Unread/ })
  await untilEqual(() => unread.count(), 3)
  await page.getByRole('combobox', { name: 'Show' }).selectOption('unread')
  await assertAccessible(page)
  await page.getByRole('row', { name: /Bea/ }).getByRole('link').click()
  const drawer = page.getByRole('dialog', { name: 'Submission' })
  await drawer.getByText('Bea@example.com').waitFor()
  await untilEqual(() => unread.count(), 2)
  const read = async () =>
    (
      await dashboard.footfall.call('GET', `/manage/properties/${id}/forms/${form.id}/submissions?show=unread`)
    ).json.data.data.map(({ fields }: { fields: Record<string, string> }) => fields['name'])
  await untilEqual(read, ['Cid', 'Ada'])
  // The next one of the list is still there, although the list is of unread ones.
  await drawer.getByRole('button', { name: 'Next' }).click()
  await drawer.getByText('Ada@example.com').waitFor()
  await untilEqual(() => unread.count(), 1)
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await choose(page, 'Mark as unread')
  await untilEqual(() => unread.count(), 2)
  await untilEqual(read, ['Cid', 'Ada'])
  await press(page, 'Mark all as read')
  await says(page, 'All submissions are marked as read')
  await untilEqual(read, [])
  await untilEqual(() => unread.count(), 0)
  assert.deepEqual(errors, [])
})

test('a draft that people tried says so in the list and on its page, until it is published there', async () => {
  const draft = await addForm({ name: 'Early bird', is_published: false })
  for (const person of ['one', 'two', 'three']) dashboard.footfall.context.draftTries.note(draft.id, person)
  const { page, errors } = await openAsOwner('/forms')
  await page.getByRole('row', { name: /Early bird.*Draft.*3 people tried it/ }).waitFor()
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Early bird' }).click()
  const note = page.getByText('3 people tried this draft in the last 30 days. Nothing was sent.')
  await note.waitFor()
  await assertAccessible(page)
  await note.locator('..').getByRole('button', { name: 'Publish' }).click()
  await note.waitFor({ state: 'detached' })
  assert.deepEqual(unexpected(errors), [])
})
