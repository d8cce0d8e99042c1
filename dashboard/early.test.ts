// Answers that were asked for before the code of the page was there: used once, for the same question, and
// never after something was done.
import assert from 'node:assert/strict'
import { after, beforeEach, mock, test } from 'node:test'
import { dropEarly, takeEarly } from './early.ts'

type Early = ReturnType<NonNullable<(typeof window)['footfallEarly']>['get']>

const asked = new Map<string, NonNullable<Early>>()
Object.assign(globalThis, { window: {} })

const body = '{"period":null}'
const question = { method: 'POST', body }
const put = (status: number): AbortController => {
  const controller = new AbortController()
  asked.set(`POST /manage/x ${body}`, { answer: Promise.resolve(new Response('{}', { status })), controller })
  return controller
}

// The page was opened a second ago, however long this process runs.
const clock = mock.method(performance, 'now', () => 1_000)
after(() => clock.mock.restore())
beforeEach(() => {
  asked.clear()
  window.footfallEarly = asked
})

test('an answer is used once', async () => {
  put(200)
  assert.equal((await takeEarly('/manage/x', question))?.status, 200)
  assert.equal(await takeEarly('/manage/x', question), undefined)
})

test('another question is asked', async () => {
  put(200)
  assert.equal(await takeEarly('/manage/x', { method: 'POST', body: '{"period":"today"}' }), undefined)
  assert.equal(await takeEarly('/manage/y', question), undefined)
  assert.equal(await takeEarly('/manage/x', { method: 'GET' }), undefined)
})

test('a refusal is asked again, since somebody may have signed in', async () => {
  put(401)
  assert.equal(await takeEarly('/manage/x', question), undefined)
})

test('what was asked before something was done is not used', async () => {
  put(200)
  dropEarly()
  assert.equal(await takeEarly('/manage/x', question), undefined)
})

test('what is given up is given up', async () => {
  const controller = put(200)
  const late = new AbortController()
  await takeEarly('/manage/x', { ...question, signal: late.signal })
  late.abort(new Error('late'))
  assert.equal(controller.signal.reason, late.signal.reason)
})

test('where the page asks first, or has all, nothing more is asked before it', async () => {
  assert.equal(await takeEarly('/manage/x', question), undefined)
  assert.equal(window.footfallEarly, undefined, 'begin.js looks for it')
})

test('what is left waits for whoever takes it', async () => {
  put(200)
  await takeEarly('/manage/y', question)
  assert.equal((await takeEarly('/manage/x', question))?.status, 200)
  assert.equal(window.footfallEarly, undefined)
})
