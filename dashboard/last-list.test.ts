import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neighboursOf, noteList } from './last-list.ts'

test('a record has the neighbours that it had in the table shown last, and none when it was not there', () => {
  assert.deepEqual(neighboursOf('/links/a'), { previous: undefined, next: undefined })
  noteList(['/links/a?period=today', '/links/b?period=today', '/links/c'])
  assert.deepEqual(neighboursOf('/links/a'), { previous: undefined, next: '/links/b?period=today' })
  assert.deepEqual(neighboursOf('/links/b'), { previous: '/links/a?period=today', next: '/links/c' })
  assert.deepEqual(neighboursOf('/links/c'), { previous: '/links/b?period=today', next: undefined })
  assert.deepEqual(neighboursOf('/links'), { previous: undefined, next: undefined })
  noteList([])
  assert.deepEqual(neighboursOf('/links/b'), { previous: undefined, next: undefined })
})
