// Links are tagged, moved, archived and put back many at once in the dashboard, in Chromium, by keyboard and
// on a phone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { untilEqual } from '../support/until.ts'
import { addGroup, addLink } from '../support/visits.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>`

const dashboard = await openDashboardOfFile()
const { footfall } = dashboard
const path = (rest: string): string => `/properties/${footfall.property.id}${rest}`

type Shown = {
  readonly name: string
  readonly tags: string[]
  readonly group_id: string
  readonly is_archived: boolean
}

const linksOf = async (): Promise<Shown[]> => (await footfall.call('GET', '/v2/property/links')).json.data.data
const tagsOf = async () => (await linksOf()).map(({ name, tags }) => `${name}: ${tags.join(' ')}`)

test('links are chosen with X and Shift, tagged, moved and archived, and each change is undone', async () => {
  const [first, second] = [await addGroup(footfall, { name: 'First' }), await addGroup(footfall, { name: 'Second' })]
  for (const name of ['One', 'Two', 'Three']) await addLink(footfall, { group_id: first, name })
  const { page, errors } = await dashboard.open(path('/links'), { as: dashboard.owner })
  await page.getByRole('link', { name: 'Three' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  const bar = page.getByRole('region', { name: 'Selected links' })
  await bar.getByText('3 selected').waitFor()
  await assertAccessible(page)
  await bar.getByRole('button', { name: 'Tags' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Add tags').fill(`spring, ${HOSTILE}`)
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByText('3 links changed').waitFor()
  await page.getByRole('link', { name: /^Two/ }).getByText(HOSTILE).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Change undone').waitFor()
  assert.deepEqual(await tagsOf(), ['Three: ', 'Two: ', 'One: '])

  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  await page.getByLabel('Select Two').check()
  await bar.getByRole('button', { name: 'Move' }).click()
  await dialog.getByLabel('Move to group').selectOption('Second')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 link changed').last().waitFor()
  assert.equal((await linksOf()).find(({ name }) => name === 'Two')?.group_id, second)
  await bar.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('link', { name: 'Two' }).waitFor({ state: 'detached' })
  await page.getByLabel('Status', { exact: true }).selectOption('Archived')
  await page.getByRole('link', { name: 'Two' }).click()
  await page.getByText('This link is archived. It’s hidden from the list but still redirects.').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Restore from archive' }).click()
  await page.getByText('1 link changed').last().waitFor()
  await untilEqual(async () => (await linksOf()).some(({ is_archived }) => is_archived), false)

  await page.goto(`${footfall.url}/dashboard${path('/links')}`)
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
  const edits = page.getByRole('table', { name: 'Changes, newest first' })
  await edits.getByText('Olive Owner').first().waitFor()
  await edits.getByText('Archive').first().waitFor()
  await assertAccessible(page)
  await edits.getByRole('button', { name: 'Undo' }).first().click()
  await untilEqual(async () => (await linksOf()).some(({ is_archived }) => is_archived), true)
  assert.deepEqual(errors, [])
})

test('a QR code is coloured while it is looked at, and doubted where cameras would fail', async () => {
  const group = await addGroup(footfall, { name: 'Codes' })
  const link = await addLink(footfall, { group_id: group, name: 'Code' })
  const { page, errors } = await dashboard.open(path(`/links/${link.id}`), { as: dashboard.owner, width: 390 })
  await page.getByRole('button', { name: 'Customize' }).click()
  const dialog = page.getByRole('dialog', { name: 'Customize' })
  const picture = dialog.getByRole('img', { name: /QR code of/ })
  await dialog.getByLabel('Color', { exact: true }).fill('#ffd500')
  await dialog.getByText(/The colors are too close/).waitFor()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await dialog.getByLabel('Color', { exact: true }).fill('#1e3a8a')
  await dialog.getByText(/The colors are too close/).waitFor({ state: 'detached' })
  await dialog.getByLabel('Error correction').selectOption('H')
  await untilEqual(async () => /color=1e3a8a.*level=H/.test((await picture.getAttribute('src')) ?? ''), true)
  await untilEqual(
    () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    true,
  )
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download QR code as SVG' }).click(),
  ])
  assert.match(readFileSync(await file.path(), 'utf8'), /fill="#1e3a8a"/)

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path fill="#f00" d="M0 0h2v1H0z"/></svg>'
  const choose = (name: string, text: string) =>
    dialog.getByLabel('Logo file').setInputFiles({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(text) })
  await choose('broken.svg', '<svg')
  await page.getByText(/couldn’t read this image/).waitFor()
  await choose('logo.svg', svg)
  await dialog.getByLabel('Show logo in the center').waitFor()
  assert.equal(await dialog.getByLabel('Show logo in the center').isChecked(), true)
  await untilEqual(async () => /logo=true/.test((await picture.getAttribute('src')) ?? ''), true)
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Save for all links' }).click()
  await page.getByText('QR code style saved').waitFor()
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download QR code as PDF' }).click(),
  ])
  assert.match(readFileSync(await pdf.path(), 'latin1'), /^%PDF-1\.4[^]*\/XObject/)
  const other = await addLink(footfall, { group_id: group, name: 'Other' })
  const second = await dashboard.open(path(`/links/${other.id}`), { as: dashboard.owner })
  const code = second.page.getByRole('img', { name: /QR code of/ })
  await untilEqual(async () => /color=1e3a8a.*logo=true/.test((await code.getAttribute('src')) ?? ''), true)
  // The logo inside the picture is drawn: red in the middle.
  const middle = await second.page.evaluate(`(async () => {
    const image = document.querySelector('img[alt^="QR code of"]')
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 160
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0, 160, 160)
    return [...context.getImageData(80, 80, 1, 1).data]
  })()`)
  assert.deepEqual(middle, [255, 0, 0, 255])
  assert.deepEqual(errors, [])
})

test('on a phone links are chosen with a finger; tags and notes are written with the link and searched', async () => {
  const { page, errors } = await dashboard.open(path('/links'), {
    as: dashboard.owner,
    width: 390,
    theme: 'dark',
    hasTouch: true,
  })
  await page.getByLabel('Select Three').tap()
  await page.getByLabel('Select One').tap()
  const bar = page.getByRole('region', { name: 'Selected links' })
  await bar.getByText('2 selected').waitFor()
  // At the end of the list, where the bar covers nothing.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await assertNoSidewaysScroll(page)
  await bar.getByRole('button', { name: 'Expiry' }).tap()
  await page.getByRole('dialog').getByLabel('Expires').fill('2099-01-01T00:00')
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).tap()
  await page.getByText('2 links changed').waitFor()
  await bar.getByRole('button', { name: 'Clear selection' }).tap()

  await page.getByRole('link', { name: 'Three' }).tap()
  await page.getByRole('button', { name: 'Edit', exact: true }).tap()
  const dialog = page.getByRole('dialog', { name: 'Edit link' })
  await dialog.getByLabel('Tags').fill('print, b2b')
  await dialog.getByLabel('Notes').fill('Ask Zoë\nfirst')
  await dialog.getByRole('button', { name: 'Save' }).tap()
  await page.getByText('Ask Zoë').waitFor()
  await assertNoSidewaysScroll(page)
  await page.goto(`${footfall.url}/dashboard${path('/links')}?q=zo%C3%AB`)
  await page.getByRole('link', { name: 'Three' }).waitFor()
  await page.getByRole('link', { name: 'One' }).waitFor({ state: 'detached' })
  await page.goto(`${footfall.url}/dashboard${path('/links')}`)
  await page.getByLabel('Tag', { exact: true }).selectOption('print')
  await page.getByRole('link', { name: 'One' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Three' }).waitFor()
  assert.deepEqual(errors, [])
})
