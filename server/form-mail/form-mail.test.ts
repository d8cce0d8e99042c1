// Mail of submissions through the front door, with a mail server behind it: who is told of what, how often,
// and how they make it stop.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openMailServer, type MailServer } from '../../test/support/mail-server.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { addPerson } from '../../test/support/accounts.ts'
import { flowOf, type Form, type FormFlow, personSignals, sent } from '../../test/support/form-flow.ts'
import { type CallOptions, startFootfall, type Footfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { openMailing } from '../mail/mailing.ts'
import { tellSubmissions } from './telling.ts'

const HOUR_MS = 3_600_000
const postgres = await startPostgres({ after })

function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let mails: MailServer
    let isBouncing = true
    let footfall: Footfall
    let flow: FormFlow

    const fields = [
      { name: 'who', type: 'text', label: 'Your name' },
      { name: 'email', type: 'email', label: 'Email' },
      { name: 'words', type: 'textarea', label: 'Message' },
    ]

    before(async () => {
      const url = await databaseUrl()
      const ending = { after: (close: () => Promise<void>) => closers.push(close) }
      mails = await openMailServer(ending, {
        refuse: (to) =>
          to === 'bounces@example.com' && isBouncing ? { code: 550, words: 'No such mailbox' } : undefined,
      })
      const env = {
        SMTP_URL: mails.url(),
        MAIL_FROM: 'Footfall <footfall@example.com>',
        ...(url !== undefined && { DATABASE_URL: url }),
      }
      footfall = await startFootfall(ending, { env, now: Date.UTC(2026, 10, 20, 12, 1) })
      flow = flowOf(footfall)
      const mailing = openMailing(footfall.context, { pollMs: 20 })
      ending.after(() => mailing.close())
    })

    after(async () => {
      for (const close of closers.toReversed()) await close()
    })

    beforeEach(() => {
      mails.received.length = 0
      // The next hour, and no limit on senders.
      footfall.clock.advance(HOUR_MS - (footfall.clock.now() % HOUR_MS) + 60_000)
    })

    const path = (rest: string) => `/manage/properties/${footfall.property.id}${rest}`
    const mailPath = (form: Form) => path(`/forms/${form.id}/mail`)
    const call = (method: string, at: string, options: CallOptions = {}) => footfall.call(method, at, options)

    async function addForm(recipients: readonly string[], name = 'Quotes'): Promise<Form> {
      const form = await flow.create(footfall.property.id, { name, kind: 'managed', fields })
      const { status, text } = await call('POST', mailPath(form), { body: { recipients } })
      assert.equal(status, 200, text)
      return form
    }

    let told = 0

    /** No two people fill in a form with the same signals, nor from the same address. */
    async function fill(form: Form, answers: object): Promise<string> {
      const n = ++told
      const from = { address: `198.51.100.${n % 250}` }
      const opened = await flow.open(form, {}, from)
      footfall.clock.advance(20_000)
      const { json } = await flow.process(
        opened.token,
        { ...sent(opened, { ...answers }), _sig: { ...personSignals, dur: 20_000 + n } },
        from,
      )
      assert.equal(json.validated, true)
      const { data } = (await call('GET', path(`/forms/${form.id}/submissions?show=all`))).json.data
      return data[0].id
    }

    /** A submission with the verdict of the score replaced, as nobody can ask for one. */
    async function fillJudged(form: Form, verdict: 'flagged' | 'dropped'): Promise<string> {
      const id = await fill(form, ada)
      await footfall.context.records
        .updateTable('submissions')
        .set({ verdict, notice: 'none' })
        .where('id', '=', id)
        .execute()
      return id
    }

    const ada = { who: 'Ada Lovelace', email: 'ada@example.org', words: 'Two engines,\nplease.\n-- \nbye' }
    const work = () => tellSubmissions(footfall.context)
    const subjects = () => mails.received.map(({ headers }) => headers.get('subject') ?? '')
    const waiting = async () =>
      (await footfall.context.records.selectFrom('mails').select('id').where('state', '=', 'pending').execute()).length
    /** Until everything that was written has been sent. */
    async function sendAll(): Promise<void> {
      await work()
      await untilEqual(waiting, 0)
    }

    describe('a good submission', () => {
      test('reaches each recipient in an email of their own, with the fields, the way there, and the sender to reply to', async () => {
        const form = await addForm(['one@example.com', 'Two@Example.com', 'two@example.com'])
        const id = await fill(form, ada)
        await sendAll()
        assert.equal(mails.received.length, 2)
        const mail = await mails.find('one@example.com', /^New submission: Quotes$/)
        assert.deepEqual(mail.to, ['one@example.com'])
        assert.equal(mail.headers.get('reply-to'), 'ada@example.org')
        assert.match(
          mail.text,
          /Your name: Ada Lovelace\nEmail: ada@example\.org\nMessage: Two engines,\n {4}please\.\n {4}--/,
        )
        assert.match(mail.html, /Two engines,<br>please\./)
        assert.ok(mail.text.includes(`/properties/${footfall.property.id}/forms/${form.id}?submission=${id}`))
        assert.ok(!mail.raw.includes('Two@Example.com'), 'a recipient sees another one')
        await work()
        await untilEqual(waiting, 0)
        assert.equal(mails.received.length, 2)
      })

      test('is told once, however many processes look for it', async () => {
        const form = await addForm(['one@example.com'])
        await fill(form, ada)
        await Promise.all([work(), work(), work()])
        await sendAll()
        assert.equal(mails.received.length, 1)
      })

      test('of a form without recipients, or sent before there were any, is told to nobody', async () => {
        const form = await addForm([])
        await fill(form, ada)
        await call('POST', mailPath(form), { body: { recipients: ['late@example.com'] } })
        await sendAll()
        assert.equal(mails.received.length, 0)
      })

      test('cannot write a header: what has line breaks, or looks like addresses, stays in its place', async () => {
        const form = await addForm(['one@example.com'], 'Quotes <all@example.com>, "x"')
        await fill(form, { ...ada, who: 'Ada\r\nBcc: all@example.com' })
        await sendAll()
        for (const mail of mails.received) {
          assert.deepEqual(mail.to, ['one@example.com'])
          assert.equal(mail.headers.has('bcc'), false)
          assert.match(mail.headers.get('subject') ?? '', /^=\?UTF-8\?Q\?New_submission=3A_Quotes_[^ ]* [^ ]*$/)
          assert.match(mail.headers.get('reply-to') ?? 'ada@example.org', /^ada@example\.org$/)
        }
      })
    })

    describe('what is no good submission', () => {
      for (const verdict of ['flagged', 'dropped'] as const)
        test(`is told when somebody says that it is none (${verdict})`, async () => {
          const form = await addForm(['one@example.com'])
          const id = await fillJudged(form, verdict)
          await sendAll()
          assert.equal(mails.received.length, 0)
          const mark = (word: string | null) =>
            call('POST', path(`/forms/${form.id}/submissions/${id}`), { body: { mark: word } })
          await mark('not_spam')
          await sendAll()
          assert.deepEqual(subjects(), ['New submission: Quotes'])
          await mark(null)
          await mark('not_spam')
          await sendAll()
          assert.equal(mails.received.length, 1)
        })

      test('the score decides it before anything is written: a robot is told to nobody', async () => {
        const form = await addForm(['one@example.com'])
        const opened = await flow.open(form, {})
        const _sig = { ...personSignals, w: 1, dur: 40, k: 0, f: 0, m: 0, s: 0, t: 0, p: 0, l: 0 }
        await flow.process(opened.token, { ...sent(opened, { ...ada, words: 'Buy http://spam.example now' }), _sig })
        const [row] = await footfall.context.records
          .selectFrom('submissions')
          .select(['verdict', 'notice'])
          .where('form_id', '=', form.id)
          .execute()
        assert.notEqual(row?.verdict, 'clean')
        assert.equal(row?.notice, 'none')
      })
    })

    test('more than ten in an hour, or than the form says, come as one email when the hour is over', async () => {
      const form = await addForm(['one@example.com', 'two@example.com'])
      for (let n = 0; n < 13; n++) await fill(form, { ...ada, who: `Ada ${n}`, email: `ada${n}@example.org` })
      await sendAll()
      assert.equal(mails.received.length, 20)
      mails.received.length = 0
      footfall.clock.advance(HOUR_MS)
      await Promise.all([work(), work()])
      await sendAll()
      assert.deepEqual(subjects(), ['3 more submissions: Quotes', '3 more submissions: Quotes'])
      const mail = await mails.find('one@example.com')
      assert.doesNotMatch(mail.text, /Ada \d/)
      mails.received.length = 0
      await fill(form, ada)
      await sendAll()
      assert.equal(mails.received.length, 2)
      mails.received.length = 0
      for (const bad of [-1, 101, 1.5, '3', null])
        assert.equal((await call('POST', mailPath(form), { body: { most_an_hour: bad } })).status, 422, `${bad}`)
      assert.equal((await call('GET', mailPath(form))).json.data.most_an_hour, 10)
      for (const most of [2, 0]) {
        footfall.clock.advance(HOUR_MS)
        const { json } = await call('POST', mailPath(form), { body: { most_an_hour: most } })
        assert.equal(json.data.most_an_hour, most)
        for (let n = 0; n < 3; n++) await fill(form, { ...ada, email: `ada${n}@example.org` })
        await sendAll()
        assert.equal(mails.received.length, most * 2)
        footfall.clock.advance(HOUR_MS)
        await sendAll()
        const words = `${3 - most} more submission${most === 2 ? '' : 's'}: Quotes`
        assert.deepEqual(subjects().slice(most * 2), [words, words])
        mails.received.length = 0
      }
    })

    test('how many are told one by one is kept whatever else is set, also before there are recipients', async () => {
      const form = await flow.create(footfall.property.id, { name: 'Quotes', kind: 'managed', fields })
      const after = async (body: object) => (await call('POST', mailPath(form), { body })).json.data.most_an_hour
      assert.equal(await after({ most_an_hour: 4 }), 4)
      assert.equal(await after({ recipients: ['one@example.com'] }), 4)
      assert.equal(await after({ recipients: [] }), 4)
    })

    describe('unsubscribing', () => {
      const linkIn = (words: string): string => /\/unsubscribe\/\w+/.exec(words)?.[0] ?? ''
      const visit = (method: string, at: string, body?: string) =>
        fetch(footfall.url + at, {
          method,
          ...(body !== undefined && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
        })

      test('takes one click without an account, only they themselves take it back, and no admin overrules it', async () => {
        const form = await addForm(['one@example.com', 'two@example.com'])
        await fill(form, ada)
        await sendAll()
        const mail = await mails.find('one@example.com')
        const link = linkIn(mail.headers.get('list-unsubscribe') ?? '')
        assert.equal(mail.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
        assert.equal(linkIn(mail.text), link)

        // Programs look at links before people do.
        const shown = await visit('GET', link)
        assert.equal(shown.status, 200)
        assert.match(await shown.text(), /Unsubscribe/)
        const states = async () =>
          (await call('GET', mailPath(form))).json.data.recipients
            .map(({ state }: { state: string }) => state)
            .toSorted()
        assert.deepEqual(await states(), ['active', 'active'])

        assert.equal((await visit('POST', link, 'List-Unsubscribe=One-Click')).status, 200)
        assert.deepEqual(await states(), ['active', 'unsubscribed'])
        for (const recipients of [['one@example.com', 'two@example.com'], [], ['ONE@example.com', 'two@example.com']])
          await call('POST', mailPath(form), { body: { recipients } })
        mails.received.length = 0
        await fill(form, ada)
        await sendAll()
        assert.deepEqual(
          mails.received.flatMap(({ to }) => to),
          ['two@example.com'],
        )

        assert.equal((await visit('POST', link, 'again=1')).status, 200)
        assert.deepEqual(await states(), ['active', 'active'])
      })

      test('with a link that nobody was sent tells nothing', async () => {
        for (const [method, body] of [
          ['GET', undefined],
          ['POST', 'List-Unsubscribe=One-Click'],
        ] as const)
          for (const id of ['sn_00000000000000000000', 'a%00b', '%F0%9F%8E%88', 'x'.repeat(5_000)])
            assert.equal((await visit(method, `/unsubscribe/${id}`, body)).status, 404, id.slice(0, 30))
      })
    })

    describe('recipients', () => {
      test('are at most twenty, each an email address; what is wrong is named', async () => {
        const form = await addForm([])
        const post = (recipients: unknown) => call('POST', mailPath(form), { body: { recipients } })
        const many = Array.from({ length: 10_000 }, (_, n) => `n${n}@example.com`)
        for (const bad of [
          many,
          many.slice(0, 21),
          ['nobody'],
          ['a@example.com\r\nBcc: b@example.com'],
          'a@example.com',
        ])
          assert.equal((await post(bad)).status, 422, JSON.stringify(bad).slice(0, 80))
        const { json } = await post(['fine@example.com', 'not fine'])
        assert.deepEqual(json.errors, { 'recipients.1': ['recipients.1 must be an email address.'] })
        assert.deepEqual((await call('GET', mailPath(form))).json.data.recipients, [])
        assert.equal((await post(many.slice(0, 20))).status, 200)
      })

      test('stay in the order in which they were given', async () => {
        const given = ['sales@example.com', 'boss@example.com', 'Zoe@example.com', 'ada@example.com']
        const { recipients } = (await call('GET', mailPath(await addForm(given)))).json.data
        assert.deepEqual(
          recipients.map(({ email }: { email: string }) => email),
          given,
        )
      })

      test('whose email comes back are shown with what the mail server said, until one arrives', async () => {
        const form = await addForm(['bounces@example.com', 'one@example.com'])
        const lastErrors = async () =>
          (await call('GET', mailPath(form))).json.data.recipients.map(
            ({ email, last_error }: { email: string; last_error: string | null }) => [email, last_error],
          )
        assert.deepEqual(await lastErrors(), [
          ['bounces@example.com', null],
          ['one@example.com', null],
        ])
        await fill(form, ada)
        await sendAll()
        assert.deepEqual(await lastErrors(), [
          ['bounces@example.com', '550 No such mailbox'],
          ['one@example.com', null],
        ])
        isBouncing = false
        footfall.clock.advance(60_000)
        await fill(form, ada)
        await sendAll()
        assert.deepEqual((await lastErrors())[0], ['bounces@example.com', null])
        isBouncing = true
      })

      test('go with the person: who leaves the team, is deleted or is erased gets nothing any more', async () => {
        const roles = { [footfall.property.id]: 'viewer' } as const
        const member = await addPerson(footfall, { email: 'member@example.com', roles })
        const user = await addPerson(footfall, { email: 'user@example.com' })
        const form = await addForm([
          'member@example.com',
          'user@example.com',
          'erased@example.com',
          'stays@example.com',
        ])
        await call('DELETE', path(`/members/${member.id}`))
        await call('DELETE', `/manage/users/${user.id}`)
        const { json } = await call('POST', '/v2/property/contacts/identify', { body: { email: 'erased@example.com' } })
        await call('DELETE', `/v2/property/contacts/${json.data.contact.id}`)
        const { recipients } = (await call('GET', mailPath(form))).json.data
        assert.deepEqual(
          recipients.map(({ email }: { email: string }) => email),
          ['stays@example.com'],
        )
      })

      test('and everything that waits go with the form', async () => {
        const form = await addForm(['one@example.com'])
        await fill(form, ada)
        await call('DELETE', path(`/forms/${form.id}`))
        await sendAll()
        assert.equal(mails.received.length, 0)
        const left = await footfall.context.records
          .selectFrom('subscriptions')
          .select('id')
          .where('form_id', '=', form.id)
          .execute()
        assert.deepEqual(left, [])
      })
    })

    describe('the confirmation to whoever sent a form', () => {
      const thanks = {
        is_on: true,
        subject: 'Thank you, %who%',
        text: 'Dear %who%,\n\nwe got it: %words%',
        reply_to: 'sales@example.com',
      }
      async function addConfirming(more: object = {}): Promise<Form> {
        const form = await flow.create(footfall.property.id, { name: 'Quotes', kind: 'managed', fields })
        const { status, text } = await call('POST', mailPath(form), { body: { confirmation: { ...thanks, ...more } } })
        assert.equal(status, 200, text)
        return form
      }

      test('is the text of the owner with the answers in it, and goes to nobody else', async () => {
        const form = await addConfirming()
        await fill(form, ada)
        await sendAll()
        assert.deepEqual(
          mails.received.flatMap(({ to }) => to),
          ['ada@example.org'],
        )
        const { headers, text, html } = mails.received[0]!
        assert.equal(headers.get('subject'), 'Thank you, Ada Lovelace')
        assert.equal(headers.get('reply-to'), 'sales@example.com')
        // The log outlives the person.
        const logged = (await call('GET', path('/mail'))).json.data.data
        assert.ok(logged.some(({ subject }: { subject: string }) => subject === 'Thank you, %who%'))
        assert.equal(JSON.stringify(logged).includes('Lovelace'), false)
        assert.match(text, /Dear Ada Lovelace,\n\nwe got it: Two engines, please\. -- bye/)
        assert.match(text, /because your email address was entered in a form of Test/)
        assert.match(html, /<p[^>]*>Dear Ada Lovelace,<\/p>/)
        assert.deepEqual((await call('GET', mailPath(form))).json.data.confirmation, {
          ...thanks,
          fields: ['who', 'email', 'words'],
        })
      })

      test('is not sent for what the score found suspicious, also when somebody calls it good later', async () => {
        const form = await addConfirming()
        const id = await fillJudged(form, 'flagged')
        await call('POST', path(`/forms/${form.id}/submissions/${id}`), { body: { mark: 'not_spam' } })
        await sendAll()
        assert.equal(mails.received.length, 0)
      })

      test('carries no advertising: answers come as one short line, without anything that leads anywhere', async () => {
        const form = await addConfirming()
        const who = 'Win\r\nBcc: all@example.com now at http://evil.example/win'
        await fill(form, { ...ada, who, words: `evil.example ${'x'.repeat(500)}` })
        await fill(form, { ...ada, who: `<b>${'y'.repeat(300)}`, words: 'fine' })
        await sendAll()
        assert.deepEqual(subjects().toSorted(), ['Thank you,', `Thank you, <b>${'y'.repeat(97)}`])
        for (const { raw, html } of mails.received) {
          assert.doesNotMatch(raw, /evil|Bcc/)
          assert.match(html, /Dear (?:&lt;b&gt;y+)?,/)
        }
      })

      test('cannot flood anybody: three a day to one address, sixty an hour from one form', async () => {
        const form = await addConfirming()
        const other = await addConfirming()
        for (let n = 0; n < 3; n++)
          await fill(n % 2 === 0 ? form : other, { ...ada, email: n === 0 ? 'Flood@Example.org' : 'flood@example.org' })
        for (let n = 0; n < 2; n++) await fill(form, { ...ada, email: 'flood@example.org' })
        await sendAll()
        assert.equal(mails.received.length, 3)
        mails.received.length = 0
        footfall.clock.advance(25 * HOUR_MS)
        await fill(form, { ...ada, email: 'flood@example.org' })
        await sendAll()
        assert.equal(mails.received.length, 1)

        mails.received.length = 0
        const aliases = ['flo.od@gmail.com', 'FLOOD+1@gmail.com', 'f.lood+2@googlemail.com', 'flood+x.y@gmail.com']
        for (const email of [...aliases, 'flood@gmail.com']) await fill(form, { ...ada, email })
        await sendAll()
        assert.equal(mails.received.length, 3, 'all of them are one inbox')

        const hour = Math.floor(footfall.clock.now() / HOUR_MS)
        await footfall.context.records
          .updateTable('form_mails')
          .set({ confirmed: 59, confirmed_hour: hour })
          .where('form_id', '=', form.id)
          .execute()
        mails.received.length = 0
        for (let n = 0; n < 3; n++) await fill(form, { ...ada, email: `other${n}@example.org` })
        await sendAll()
        assert.equal(mails.received.length, 1)
      })

      test('of an open form may name the parts of a person', async () => {
        const form = await flow.create(footfall.property.id)
        const confirmation = { is_on: true, subject: 'Hello %first_name%', text: '%name% <%email%>' }
        assert.equal((await call('POST', mailPath(form), { body: { confirmation } })).status, 200)
        const opened = await flow.open(form)
        footfall.clock.advance(20_000)
        await flow.send(opened, { name: 'Grace Hopper', email: 'grace@example.org' })
        await sendAll()
        const { headers, text } = await mails.find('grace@example.org')
        assert.equal(headers.get('subject'), 'Hello Grace')
        assert.match(text, /Grace Hopper <grace@example\.org>/)
      })

      test('says what is wrong with it: unknown fields, nothing to say, a form that asks for no email address', async () => {
        const form = await addConfirming({ is_on: false })
        const faultOf = async (confirmation: object, at = form): Promise<string> => {
          const { status, json } = await call('POST', mailPath(at), {
            body: { confirmation: { ...thanks, ...confirmation } },
          })
          assert.equal(status, 422)
          return JSON.stringify(json.errors)
        }
        assert.match(
          await faultOf({ text: 'Dear %nobody%' }),
          /%nobody% is no field of the form. Fields: %who%, %email%, %words%/,
        )
        assert.match(await faultOf({ subject: 'x %secret%' }), /confirmation\.subject/)
        assert.match(await faultOf({ subject: 'One\r\nBcc: two@example.com' }), /one line|control/)
        assert.match(await faultOf({ text: ' ' }), /may not be empty/)
        assert.match(await faultOf({ reply_to: 'nobody' }), /reply_to must be an email address/)
        assert.match(await faultOf({ text: 'x'.repeat(5_001) }), /at most 5000/)
        const without = await flow.create(footfall.property.id, { kind: 'managed', fields: fields.slice(2) })
        assert.match(await faultOf({ subject: 'x', text: 'x' }, without), /no field for an email address/)
        await call('POST', mailPath(form), { body: { confirmation: { ...thanks, text: '100 % of it, 50%-70%' } } })
      })
    })

    test('erasing the sender stops mail about them that still waits, and nothing of it stays', async () => {
      const form = await addForm(['one@example.com'])
      await fill(form, { ...ada, email: 'gone@example.org' })
      const { json } = await call('POST', '/v2/property/contacts/identify', { body: { email: 'gone@example.org' } })
      await call('DELETE', `/v2/property/contacts/${json.data.contact.id}`)
      await sendAll()
      assert.equal(mails.received.length, 0)
    })

    test('while no mail server is set up nothing is put down for later, and the form says what is missing', async (t) => {
      const off = await startFootfall(t)
      const offFlow = flowOf(off)
      const form = await offFlow.create(off.property.id)
      const at = `/manage/properties/${off.property.id}/forms/${form.id}/mail`
      const { json } = await off.call('POST', at, { body: { recipients: ['one@example.com'] } })
      assert.deepEqual(json.data.missing, ['SMTP_URL', 'MAIL_FROM'])
      await offFlow.send(await offFlow.open(form), { name: 'Ada', email: 'ada@example.org' })
      const rows = await off.context.records.selectFrom('submissions').select('notice').execute()
      assert.deepEqual(rows, [{ notice: 'none' }])
    })
  })
}

promises('sqlite', async () => undefined)
if (postgres) promises('postgres', () => postgres.freshUrl())
