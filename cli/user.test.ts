// `footfall user`: who is added by it can sign in, and who cannot sign in any more gets back in.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ask, runAll } from '../test/support/cli.ts'
import { startFootfall } from '../test/support/server.ts'
import { PASSWORD, setupToken, signIn } from '../test/support/accounts.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-user-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))
const env = { DATA_DIR: dataDir, BASE_URL: 'https://stats.example.com' }
const tokenOf = (url: string): string => url.split('#')[1] ?? ''

test('an owner that it adds signs in, and the one-time link of the start is over', async (t) => {
  const made = await ask(['user', 'create', '--email', 'Ada@Example.com', '--name', 'Ada', '--owner'], env)
  assert.match(made.invitation_url, /^https:\/\/stats\.example\.com\/dashboard\/invitation#[0-9A-Za-z]{40}$/)
  const footfall = await startFootfall(t, { dataDir })
  assert.equal(await setupToken(footfall), '')
  const accept = (url: string, password: string) =>
    footfall.call('POST', '/manage/invitation/accept', { token: null, body: { token: tokenOf(url), password } })
  assert.equal((await accept(made.invitation_url, PASSWORD)).status, 200)
  assert.equal((await signIn(footfall, 'ada@example.com')).json.data.user.is_owner, true)

  const { reset_url: url } = await ask(['user', 'reset', 'ada@example.com'], env)
  assert.equal((await signIn(footfall, 'ada@example.com')).status, 200, 'until it is used')
  assert.equal((await accept(url, 'another stone by the river')).status, 200)
  assert.equal((await signIn(footfall, 'ada@example.com')).status, 401)

  const { users, total } = await ask(['user', 'list'], env)
  assert.deepEqual([total, users[0].email, users[0].has_password], [1, 'Ada@Example.com', true])
})

test('says what is missing, and who is not there', async () => {
  const run = (...args: string[]) => ({ args: ['user', ...args], env })
  const [none, noName, twice, nobody, help, shown] = await runAll([
    run(),
    run('create', '--email', 'x@example.com'),
    run('create', '--email', 'ada@example.com', '--name', 'Ada'),
    run('reset', 'nobody@example.com'),
    run('--help'),
    run('list'),
  ])
  assert.deepEqual([none?.code, noName?.code, twice?.code, nobody?.code, help?.code], [2, 2, 1, 1, 0])
  assert.match(twice?.err ?? '', /An account with this email already exists/)
  assert.match(shown?.out ?? '', /^ID +EMAIL +NAME +ACCESS +STATUS\nus_\w+ +Ada@Example\.com +Ada +owner +password\n$/)
})
