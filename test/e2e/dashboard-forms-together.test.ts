// Two people at one form, in Chromium: neither takes back what the other did, and what was done can be put
// back. And other pages that are saved while somebody else changes the same thing, or while their owner goes
// on typing.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { addPerson, type Person } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, type Dashboard, openDashboard } from '../support/dashboard.ts'
import { type Form, type FormFlow, flowOf } from '../support/form-flow.ts'
import { intercept } from '../support/intercept.ts'

let dashboard: Dashboard
let flow: FormFlow
let ann: Person
const ends: (() => Promise<void>)[] = []
before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) })
  flow = flowOf(dashboard.footfall)
  ann = await addPerson(dashboard.footfall, { roles: { [dashboard.footfall.property.id]: 'admin' } })
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => dashboard.leavePages())

const path = (rest: string): string => `/properties/${dashboard.footfall.property.id}${rest}`
const openAsOwner = (rest: string, how: object = {}) => dashboard.open(path(rest), { as: dashboard.owner, ...how })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
/** Not “not saved”, which stands there before. */
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor()
const noted = (errors: readonly string[]) => errors.filter((error) => !/status of 409/.test(error))

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
async function answered(person: Person, rest: string, body?: object): Promise<any> {
  const reply = await person.call(body ? 'POST' : 'GET', `/manage${path(rest)}`, body && { body })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const formOf = async (id: string) => (await answered(ann, `/forms/${id}`)).form

/** Built as somebody once did, with a choice that only a script can make. */
const built = {
  name: 'Orders',
  kind: 'managed',
  fields: [
    { name: 'email', type: 'email', label: 'Email' },
    { name: 'size', type: 'select', label: 'Size', options: [{ value: 'a|b', label: 'x\ny' }] },
  ],
  validation: { email: { accepted: 'Tick it.', 'regex[^[a-z]+ ]': null } },
}

const addForm = (): Promise<Form & { id: string }> => flow.create(dashboard.footfall.property.id, { ...built })

/** As another person does over the interface: a field more, with a rule. */
async function addPhone(id: string): Promise<void> {
  const { fields, validation } = await formOf(id)
  await answered(ann, `/forms/${id}`, {
    fields: [...fields, { name: 'phone', type: 'tel', label: 'Phone' }],
    validation: { ...validation, phone: { required: 'We call.' } },
  })
}

const labels = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Form fields' })
    .locator('[aria-expanded]:not([aria-haspopup]) > :first-child')
    .allTextContents()

async function callButton(page: Page, words: string): Promise<void> {
  await tab(page, 'Design')
  await page.getByLabel('Button', { exact: true }).fill(words)
}

test('what another person saved meanwhile is neither lost nor overwritten, and both are put together when asked', async () => {
  const form = await addForm()
  const before = await formOf(form.id)
  const { page, errors } = await openAsOwner(`/forms/${form.id}/build`)
  await callButton(page, 'Order now')
  await addPhone(form.id)
  const theirs = await formOf(form.id)
  await press(page, 'Save')
  await says(page, 'Someone changed this form while you were editing (fields, rules).')
  await says(page, 'Last changed by Pat Person.')
  assert.deepEqual(await formOf(form.id), theirs)
  assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled(), true)
  await assertAccessible(page)

  await press(page, 'Merge my changes')
  await tab(page, 'Fields')
  assert.deepEqual(await labels(page), ['Email *', 'Size', 'Phone *'])
  await press(page, 'Save')
  await saved(page)
  const both = await formOf(form.id)
  assert.deepEqual(both, {
    ...theirs,
    button: { ...theirs.button, label: 'Order now' },
    revision: theirs.revision + 1,
    updated_ts: both.updated_ts,
  })
  assert.deepEqual([both.fields[1], both.validation.email], [before.fields[1], before.validation.email])

  await tab(page, 'History')
  await page.getByRole('row', { name: /Changed button Olive Owner/ }).waitFor()
  const phone = page.getByRole('row', { name: /Changed fields, rules Pat Person/ })
  await phone.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('row', { name: /Undone fields, rules Olive Owner/ }).waitFor()
  await assertAccessible(page)
  const { fields, validation } = await formOf(form.id)
  assert.deepEqual({ fields, validation }, { fields: before.fields, validation: before.validation })
  await tab(page, 'Builder')
  assert.deepEqual(await labels(page), ['Email *', 'Size'])
  assert.deepEqual(noted(errors), [])
})

test('a draft that was kept says that the form was changed meanwhile, and what both changed is named', async () => {
  const form = await addForm()
  const { page, errors } = await openAsOwner(`/forms/${form.id}/build`, { width: 360, theme: 'dark' })
  await callButton(page, 'Mine')
  await tab(page, 'Settings')
  await addPhone(form.id)
  await answered(ann, `/forms/${form.id}`, { button: { label: 'Theirs' } })
  await page.getByLabel('Name', { exact: true }).fill('Renamed')
  await press(page, 'Save')
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await tab(page, 'Builder')
  await says(page, 'Someone changed this form while you were editing (fields, rules, button).')
  await says(page, 'Last changed by Pat Person.')
  await says(page, 'You both changed: button.')
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await press(page, 'Discard my changes')
  await tab(page, 'Design')
  assert.equal(await page.getByLabel('Button', { exact: true }).inputValue(), 'Theirs')
  await tab(page, 'Fields')
  assert.deepEqual(await labels(page), ['Email *', 'Size', 'Phone *'])
  assert.deepEqual(noted(errors), [])
})

test('publishing, here or elsewhere, is no reason to refuse what was built', async () => {
  const form = await addForm()
  const { page, errors } = await openAsOwner(`/forms/${form.id}/build`)
  await callButton(page, 'Order now')
  const { is_published } = await formOf(form.id)
  await answered(ann, `/forms/${form.id}`, { name: 'Renamed', is_published: !is_published })
  await press(page, 'Save')
  await saved(page)
  const stored = await formOf(form.id)
  assert.deepEqual([stored.button.label, stored.name, stored.is_published], ['Order now', 'Renamed', !is_published])
  assert.deepEqual(noted(errors), [])
})

/** Holds the next change back. @returns what lets it go, and waits until it was asked for. */
async function hold(page: Page, address: string): Promise<{ asked: Promise<void>; release: () => Promise<void> }> {
  let held: Route | undefined
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  await intercept(page, `**${address}`, async (route) => {
    if (route.request().method() !== 'POST' || held) return route.fallback()
    held = route
    resolve()
  })
  return { asked, release: async () => held?.continue() }
}

test('what is typed between Save and its answer stays, and is not taken for saved', async () => {
  const form = await addForm()
  const { page, errors } = await openAsOwner(`/forms/${form.id}/build`)
  await callButton(page, 'Order')
  const building = await hold(page, `/forms/${form.id}`)
  await press(page, 'Save')
  await building.asked
  await page.getByLabel('Button', { exact: true }).fill('Order now')
  await page.getByLabel('Text below the button').fill('No spam.')
  await building.release()
  await saved(page)
  await says(page, 'Unsaved changes')
  assert.equal(await page.getByLabel('Button', { exact: true }).inputValue(), 'Order now')
  assert.equal((await formOf(form.id)).button.label, 'Order')
  await press(page, 'Save')
  await saved(page)
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  const { button, footer } = await formOf(form.id)
  assert.deepEqual([button.label, footer], ['Order now', { text: 'No spam.' }])

  await tab(page, 'Settings')
  const setting = await hold(page, `/forms/${form.id}`)
  await page.getByLabel('Name', { exact: true }).fill('Orders 2')
  await press(page, 'Save')
  await setting.asked
  await page.getByLabel('Delete submissions after (days)').fill('30')
  await setting.release()
  await page.getByRole('heading', { name: 'Orders 2' }).waitFor()
  assert.equal(await page.getByLabel('Delete submissions after (days)').inputValue(), '30')
  assert.equal((await formOf(form.id)).retention_days, null)
  await press(page, 'Save')
  await saved(page)
  assert.deepEqual(errors, [])
})

test('the settings of a property and a note are saved without what was not changed there', async () => {
  const { page, errors } = await openAsOwner('/settings/general')
  await page.getByLabel('Name', { exact: true }).fill('Renamed')
  await answered(ann, '', { domains: ['other.example'] })
  await press(page, 'Save')
  await says(page, 'Settings saved.')
  const { property } = await answered(ann, '')
  assert.deepEqual([property.name, property.domains], ['Renamed', ['other.example']])

  await dashboard.footfall.track.load({ page: 'https://other.example/' })
  const ts = Math.floor(dashboard.footfall.clock.now() / 60_000) * 60 - 3600 + 34
  const { annotation } = await answered(ann, '/annotations', { ts, text: 'A sale' })
  const overview = await openAsOwner(`?note=${annotation.id}`)
  await overview.page.getByLabel('Note', { exact: true }).fill('The sale')
  await press(overview.page, 'Save')
  await overview.page.getByRole('dialog').waitFor({ state: 'detached' })
  const [note] = (await answered(ann, '/annotations')).data
  assert.deepEqual([note.text, note.ts], ['The sale', ts])
  assert.deepEqual([...errors, ...overview.errors], [])
})
