// The page of backups in Chromium, of an installation that keeps them in a folder.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboard } from '../support/dashboard.ts'

const ends: (() => Promise<void>)[] = []
const ending = { after: (end: () => Promise<void>) => ends.push(end) }
after(async () => {
  for (const end of ends.toReversed()) await end()
})

const folder = mkdtempSync(join(tmpdir(), 'footfall-kept-'))
ending.after(async () => rmSync(folder, { recursive: true, force: true }))
const dashboard = await openDashboard(ending, {
  ownsFacts: true,
  env: { BACKUP_TO: folder, BACKUP_SCHEDULE: 'weekly sun 03:05', BACKUP_KEEP: '3' },
})
afterEach(() => dashboard.leavePages())

test('an owner takes a backup with a button, and finds it in the list', async () => {
  const { open, owner } = dashboard
  const { page, errors } = await open('/backups', { as: owner })
  await page.getByText(folder).first().waitFor()
  await page.getByText('Every Sunday at 03:05 UTC').waitFor()
  await page.getByText('The newest 3').waitFor()
  await page.getByText('No backups yet').waitFor()
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('row').filter({ hasText: 'Completed' }).getByText('On demand').waitFor()
  assert.notEqual(readdirSync(folder).length, 0)
  const restore = await page.getByText(/restore .* --backup \d{8}T\d{6}Z-/).textContent()
  const id = restore?.split(' ').at(-1) ?? ''
  await page.getByRole('table', { name: 'Available backups' }).getByText(id).waitFor()
  await assertAccessible(page)
  const phone = await open('/backups', { as: owner, width: 360, theme: 'dark' })
  await phone.page.getByText(id).first().waitFor()
  await assertNoSidewaysScroll(phone.page)
  await assertAccessible(phone.page)
  assert.deepEqual([...errors, ...phone.errors], [])
})

test('a backup that fails says why', async () => {
  const { open, owner } = dashboard
  const { page } = await open('/backups', { as: owner })
  await page.getByRole('table', { name: 'Available backups' }).waitFor()
  const { records } = dashboard.footfall.context
  await records
    .updateTable('backup_runs')
    .set({ state: 'failed', note: 'No space left on the device <b>', backup_id: null })
    .execute()
  await page.reload()
  await page
    .getByRole('row')
    .filter({ hasText: 'Failed' })
    .getByText('No space left on the device <b>')
    .first()
    .waitFor()
})

test('whoever owns no installation sees nothing of the backups', async () => {
  const { open, footfall } = dashboard
  const { page } = await open('/backups', { as: await addPerson(footfall, { email: 'viewer@example.com' }) })
  await page.getByText('Only owners of the installation can see backups.').waitFor()
  assert.equal(await page.getByText(folder).count(), 0)
})
