import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  type LinkedPaginator,
  paginate,
  paginateLinked,
  readInteger,
  readPageQuery,
  readPageNumber,
  refusePages,
} from './page.ts'
import { Problem } from './problem.ts'

const address = { baseUrl: 'https://stats.example', path: '/v2/things', query: { state: 'active & well', page: '2' } }

/** The page as a store would give it: the rows are their own numbers. */
function pageOf(total: number, page: number, perPage: number): LinkedPaginator<number> {
  const all = Array.from({ length: total }, (_, index) => index + 1)
  return paginateLinked(all.slice((page - 1) * perPage, page * perPage), { page, perPage }, total, address)
}

test('following next from the first page shows every row once and in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 20 }), (total, perPage) => {
      const seen: number[] = []
      let page: number | null = 1
      while (page !== null) {
        const shown: LinkedPaginator<number> = pageOf(total, page, perPage)
        seen.push(...shown.data)
        assert.ok(shown.data.length === 0 || (shown.from === shown.data[0] && shown.to === shown.data.at(-1)))
        page = shown.next_page_url === null ? null : Number(new URL(shown.next_page_url).searchParams.get('page'))
      }
      assert.deepEqual(
        seen,
        Array.from({ length: total }, (_, index) => index + 1),
      )
    }),
  )
})

test('neighbouring pages keep the rest of the query', () => {
  const page = pageOf(50, 2, 20)
  assert.equal(page.next_page_url, 'https://stats.example/v2/things?state=active+%26+well&page=3')
  assert.equal(page.prev_page_url, 'https://stats.example/v2/things?state=active+%26+well&page=1')
})

test('neighbouring pages keep every value of a name that was given several times', () => {
  const query = { tag: ['a&b', 'c'], page: ['1', '9'], other: 7 }
  const page = paginate([1], { page: 1, perPage: 1 }, 2, { ...address, query })
  assert.equal(page.next_page_url, 'https://stats.example/v2/things?tag=a%26b&tag=c&page=2')
})

test('an empty list has one empty page, and a page past the end leads back to the last one', () => {
  const empty = paginate([], { page: 1, perPage: 20 }, 0, address)
  assert.deepEqual(
    [empty.last_page, empty.from, empty.to, empty.next_page_url, empty.prev_page_url],
    [1, null, null, null, null],
  )
  const past = pageOf(30, 9, 20)
  assert.deepEqual([past.last_page, past.from, past.to, past.next_page_url], [2, null, null, null])
  assert.match(past.prev_page_url ?? '', /page=2$/)
})

test('the bar of links marks the current page and ends with the neighbours', () => {
  const { links, first_page_url, last_page_url, path } = pageOf(200, 5, 10)
  assert.deepEqual(
    links.map((link) => link.label),
    ['Previous', '2', '3', '4', '5', '6', '7', '8', 'Next'],
  )
  assert.deepEqual(
    links.filter((link) => link.active).map((link) => link.label),
    ['5'],
  )
  assert.match(first_page_url, /page=1$/)
  assert.match(last_page_url, /page=20$/)
  assert.equal(path, 'https://stats.example/v2/things')
})

test('a page number is a whole number from 1, as text or number; anything else is refused by name', () => {
  assert.equal(readPageNumber(undefined), 1)
  assert.equal(readPageNumber('17'), 17)
  for (const wrong of ['0', '-1', '1.5', 'x', ' 1', '1e3', '99999999999999', 0, 1.5, ['1', '2'], {}]) {
    assert.throws(
      () => readPageNumber(wrong),
      (error) => error instanceof Problem && error.errors?.['page'] !== undefined,
      JSON.stringify(wrong),
    )
  }
  assert.throws(
    () => readInteger('limit', 101, { min: 1, max: 100, default: 20 }),
    /limit must be a whole number from 1 to 100/,
  )
})

test('a page without a number is a page that was not asked for', () => {
  const first = { page: 1, perPage: 25 }
  for (const query of [{}, { page: '' }, { per_page: '' }, { page: '', per_page: '' }])
    assert.deepEqual(readPageQuery(query), first)
  assert.deepEqual(readPageQuery({ page: '2', per_page: '' }), { page: 2, perPage: 25 })
})

test('what comes whole has no pages, and says which word asked for one', () => {
  for (const query of [{}, { page: '', per_page: '' }, { show: 'all' }]) refusePages(query)
  for (const query of [{ page: '1' }, { per_page: '100' }, { page: ['', ''] }, { per_page: 'x', page: '' }]) {
    const [name] = Object.entries(query).find(([, value]) => value !== '')!
    assert.throws(
      () => refusePages(query),
      (error) => error instanceof Problem && error.status === 422 && error.errors?.[name] !== undefined,
    )
  }
})
