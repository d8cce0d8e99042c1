// The outbox of mail: nothing that was enqueued is lost, nothing is sent twice by two processes, what may
// succeed later is tried again and what will not is told; and nothing of it stays longer than it must.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { openMailServer, type MailServerOptions } from '../../test/support/mail-server.ts'
import { openHomes, openMigrated, type Home } from '../../test/support/records.ts'
import { untilEqual } from '../../test/support/until.ts'
import { readEmail } from '../kernel/email.ts'
import { openKeys } from '../kernel/keys.ts'
import { sender, smtpServer } from '../setting-values.ts'
import { MailEngine, RETRY_MS } from './engine.ts'
import { eraseMails, enqueueMail, type MailDraft, text } from './mail.ts'
import { removeOldMails } from './log.ts'
import { transportOf } from './mailing.ts'

const { homes } = await openHomes()
const NOW = Date.UTC(2026, 10, 20, 12)
const DAY_MS = 86_400_000

const letter = { subject: 'Subject', title: 'Title', blocks: [text('Secret words')], reason: 'Because.' }
const draftTo = (to: string, more: Partial<MailDraft> = {}): MailDraft => ({
  kind: 'test',
  to: readEmail(to)!,
  letter,
  propertyId: null,
  ...more,
})

async function openWorld(t: TestContext, home: Home, options: MailServerOptions = {}) {
  const server = await openMailServer(t, options)
  const { records } = await openMigrated(t, home)
  let nowMs = NOW
  const config = {
    smtp: smtpServer(server.url()),
    mailFrom: sender('Footfall <footfall@example.com>'),
    deliveryDays: 30,
  }
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const deps = { records, config, keys: openKeys('k'.repeat(40)), now: () => nowMs, randomBytes, log }
  return {
    server,
    deps,
    lines,
    /** To be closed by the test, or at its end. */
    engine: () => {
      const engine = new MailEngine(deps, transportOf(config, { stepMs: 2_000 })!, 20)
      t.after(() => engine.close())
      return engine
    },
    advance: (ms: number) => void (nowMs += ms),
    rows: () => records.selectFrom('mails').selectAll().orderBy('to_email').execute(),
    states: async () =>
      (await records.selectFrom('mails').select(['state', 'attempts']).execute()).map(
        ({ state, attempts }) => `${state} ${attempts}`,
      ),
  }
}

for (const home of homes) {
  test(`mail is sent once, however many processes there are, and what it said is gone then (${home.kind})`, async (t) => {
    const { deps, server, engine, rows } = await openWorld(t, home)
    const addresses = Array.from({ length: 30 }, (_, n) => `n${n}@example.org`)
    for (const to of addresses) assert.equal(await enqueueMail(deps, deps.records, draftTo(to)), true)
    for (const { content } of await rows()) assert.ok(content !== null && !content.includes('Secret'))
    for (let n = 0; n < 3; n++) engine()
    await untilEqual(async () => (await rows()).every(({ state }) => state === 'sent'), true)
    assert.deepEqual(server.received.flatMap(({ to }) => to).toSorted(), addresses.toSorted())
    for (const row of await rows()) assert.deepEqual([row.content, row.error, row.attempts], [null, null, 1])
  })

  test(`what is refused for now is tried again, what is refused for good is not (${home.kind})`, async (t) => {
    const refuse = (to: string, attempt: number) => {
      if (to.startsWith('gone')) return { code: 550, words: `No mailbox ${to}` }
      return attempt <= 3 ? { code: 451, words: 'Greylisted' } : undefined
    }
    const { deps, server, engine, advance, rows, states, lines } = await openWorld(t, home, { refuse })
    await enqueueMail(deps, deps.records, draftTo('grey@example.org'))
    engine()
    await untilEqual(states, ['pending 1'])
    assert.deepEqual(
      (await rows()).map(({ error, claimed_until_ms }) => [error, claimed_until_ms]),
      [['451 Greylisted', NOW + RETRY_MS[0]!]],
    )
    advance(RETRY_MS[0]!)
    await untilEqual(states, ['pending 2'])
    advance(RETRY_MS[1]!)
    await untilEqual(states, ['pending 3'])
    advance(RETRY_MS[2]!)
    await untilEqual(states, ['sent 4'])
    assert.equal(server.received.length, 1)
    await enqueueMail(deps, deps.records, draftTo('gone@example.org'))
    await untilEqual(async () => (await states()).toSorted(), ['failed 1', 'sent 4'])
    const [gone] = await rows()
    assert.deepEqual([gone?.error, gone?.content], ['550 No mailbox gone@example.org', null])
    assert.ok(lines.length > 0)
    assert.doesNotMatch(lines.join(''), /example\.org|Secret|Greylisted/)
  })

  test(`a mail that would come too late is not sent, and a server that never takes it gets no more than nine attempts (${home.kind})`, async (t) => {
    const refuse = () => ({ code: 451, words: 'Not now' })
    const { deps, engine, advance, states, server } = await openWorld(t, home, { refuse })
    await enqueueMail(deps, deps.records, draftTo('late@example.org', { expiresMs: NOW - 1 }))
    await enqueueMail(deps, deps.records, draftTo('soon@example.org', { expiresMs: NOW + 30_000 }))
    await enqueueMail(deps, deps.records, draftTo('never@example.org'))
    engine()
    for (const [n, delayMs] of RETRY_MS.entries()) {
      await untilEqual(async () => (await states()).toSorted(), ['failed 1', 'failed 1', `pending ${n + 1}`])
      advance(delayMs)
    }
    await untilEqual(async () => (await states()).toSorted(), ['failed 1', 'failed 1', 'failed 9'])
    assert.equal(server.received.length, 0)
    // The one that was too late was never offered to the server.
    assert.equal(server.attempts(), 10)
  })

  test(`a mail of one key is made once, and a lease that has ended frees what a dead process had (${home.kind})`, async (t) => {
    const { deps, engine, advance, states } = await openWorld(t, home)
    const once = draftTo('one@example.org', { onceKey: 'report 1' })
    assert.deepEqual(
      [await enqueueMail(deps, deps.records, once), await enqueueMail(deps, deps.records, once)],
      [true, false],
    )
    await deps.records
      .updateTable('mails')
      .set({ claimed_until_ms: NOW + 90_000 })
      .execute()
    const first = engine()
    await first.close()
    assert.deepEqual(await states(), ['pending 0'])
    advance(90_000)
    engine()
    await untilEqual(states, ['sent 1'])
  })

  test(`nothing is sent to who is erased, nor of them, and the log forgets whom it was for (${home.kind})`, async (t) => {
    const { deps, engine, rows, server } = await openWorld(t, home)
    const { records } = deps
    const property = {
      id: 'pr_1',
      key: 'k',
      name: 'P',
      domains: '[]',
      default_period: null,
      plan: 'paid',
      proxy_key_hash: null,
      created_ts: 1,
    } as const
    await records.insertInto('properties').values(property).execute()
    const of = { propertyId: 'pr_1' }
    await enqueueMail(
      deps,
      records,
      draftTo('Owner@example.org', { ...of, submissionId: 'fs_1', replyTo: readEmail('ada@example.org') }),
    )
    await enqueueMail(deps, records, draftTo('ADA@example.org', of))
    await enqueueMail(deps, records, draftTo('ada@example.org'))
    await enqueueMail(deps, records, draftTo('other@example.org', { ...of, submissionId: 'fs_2' }))
    await records
      .transaction()
      .execute((tx) => eraseMails(tx, 'pr_1', { emailKeys: ['ada@example.org'], submissionIds: ['fs_1'] }, NOW))
    engine()
    await untilEqual(
      async () => server.received.flatMap(({ to }) => to).toSorted(),
      ['ada@example.org', 'other@example.org'],
    )
    await untilEqual(
      async () => (await rows()).map(({ to_email, to_key, state, content }) => [to_email, to_key, state, content]),
      [
        ['', '', 'erased', null],
        ['', '', 'erased', null],
        ['ada@example.org', 'ada@example.org', 'sent', null],
        ['other@example.org', 'other@example.org', 'sent', null],
      ],
    )
  })

  test(`the log goes after DELIVERY_DAYS, what still waits does not (${home.kind})`, async (t) => {
    const { deps, advance, states } = await openWorld(t, home)
    await enqueueMail(deps, deps.records, draftTo('a@example.org'))
    await enqueueMail(deps, deps.records, draftTo('b@example.org'))
    await deps.records.updateTable('mails').set({ state: 'failed' }).where('to_email', '=', 'a@example.org').execute()
    advance(30 * DAY_MS)
    assert.equal(await removeOldMails(deps), 0)
    advance(1)
    assert.equal(await removeOldMails(deps), 1)
    assert.deepEqual(await states(), ['pending 0'])
  })
}

test('without SMTP_URL or MAIL_FROM nothing is written', async (t) => {
  const { deps, states } = await openWorld(t, homes[0]!)
  for (const missing of [{ smtp: null }, { mailFrom: null }])
    assert.equal(
      await enqueueMail({ ...deps, config: { ...deps.config, ...missing } }, deps.records, draftTo('a@example.org')),
      false,
    )
  assert.deepEqual(await states(), [])
})

test('what was written under another SECRET is told as such', async (t) => {
  const { deps, engine, rows } = await openWorld(t, homes[0]!)
  await enqueueMail({ ...deps, keys: openKeys('x'.repeat(40)) }, deps.records, draftTo('a@example.org'))
  engine()
  await untilEqual(
    async () => (await rows()).map(({ state, error }) => [state, error]),
    [['failed', 'It cannot be read: it was written under another SECRET.']],
  )
})
