// Puts one question to the service and to the oracle, and tells in what they differ.
import { holds } from './clauses.ts'
import type { Send } from './client.ts'
import { differences, isRecord, type Difference } from './compare.ts'
import type { Cost } from './costs.ts'
import { documentOf, sessionsAnswer } from './documents.ts'
import { graphAnswer, liveAnswer, metricsAnswer, within } from './figures.ts'
import type { Described } from './fold.ts'
import type { Owner } from './forms.ts'
import { goalAnswer, listAnswer } from './lists.ts'
import { pagesAnswer } from './pages.ts'
import type { Question } from './questions.ts'
import { bearer, type Access } from './sender.ts'
import { windowOf } from './windows.ts'

export interface Bench {
  readonly send: Send
  readonly access: Access
  readonly owner: Owner
  /** Everything that was sent so far, folded. */
  readonly sessions: readonly Described[]
  readonly now: number
  /** That are imported already. */
  readonly costs: readonly Cost[]
  readonly idOf: (described: Described) => string | undefined
}

export interface Finding {
  readonly question: Question
  readonly request: string
  readonly differences: readonly Difference[]
}

interface Request {
  readonly path: string
  readonly body: Record<string, unknown>
}

function requestOf({ owner }: Bench, question: Question): Request {
  const base = '/v2/property/signals'
  const { clauses } = question
  switch (question.kind) {
    case 'metrics':
      return { path: `${base}/analytics/metrics`, body: { ...question.asked, clauses } }
    case 'graph':
      return { path: `${base}/analytics/graph`, body: { ...question.asked, clauses, ...question.graph } }
    case 'live':
      return { path: `${base}/analytics/live`, body: { clauses, metric: question.metric } }
    case 'sessions':
      return {
        path: `${base}/sessions?page=${question.page.page}`,
        body: { ...question.asked, clauses, limit: question.page.limit },
      }
    case 'list': {
      const { list, hasCost, ...shown } = question.list
      const metrics = [
        'visits',
        ...(hasCost ? ['cost'] : []),
        ...(shown.goal === undefined ? [] : ['conversions', 'rate']),
      ]
      const path = `/manage/properties/${owner.propertyId}/lists/${list}`
      return { path, body: { ...question.asked, clauses, metrics, sort: 'visits', ...shown } }
    }
    case 'goal':
      return {
        path: `/manage/properties/${owner.propertyId}/overview`,
        body: { ...question.asked, clauses, ...question.goal },
      }
    case 'pages':
      return {
        path: `/manage/properties/${owner.propertyId}/pages`,
        body: { ...question.asked, clauses, ...question.pages },
      }
  }
}

function expectedOf(bench: Bench, question: Question): unknown[] {
  const { sessions, now } = bench
  switch (question.kind) {
    case 'metrics':
      return metricsAnswer(bench, question.asked, question.clauses)
    case 'graph':
      return graphAnswer(sessions, question.asked, question.clauses, question.graph, now)
    case 'live':
      return liveAnswer(sessions, question.clauses, question.metric, now)
    case 'sessions':
      return sessionsAnswer(sessions, question.asked, question.clauses, question.page, now, bench.idOf)
    case 'list':
      return [listAnswer(bench, question.asked, question.clauses, question.list)]
    case 'goal':
      return [goalAnswer(bench, question.asked, question.clauses, question.goal)]
    case 'pages':
      return [pagesAnswer(sessions, question.asked, question.clauses, question.pages, now)]
  }
}

/** Each document that came is held to the session whose id it carries. */
function documentDifferences(bench: Bench, body: Readonly<Record<string, unknown>>): Difference[] {
  const documents = Array.isArray(body['data']) ? body['data'].filter(isRecord) : []
  const byId = new Map(bench.sessions.map((described) => [bench.idOf(described), described]))
  return documents.flatMap((document, index) => {
    const described = byId.get(String(document['id']))
    return described ? differences(documentOf(described), document, `data[${index}]`) : []
  })
}

/** Whoever may ask it. */
const headersOf = ({ access, owner }: Bench, { path }: Request) =>
  path.startsWith('/manage/') ? { authorization: `Bearer ${owner.admin}` } : bearer(access)

export async function ask(bench: Bench, question: Question): Promise<Finding | undefined> {
  const request = requestOf(bench, question)
  const { path, body } = request
  const answer = await bench.send('POST', path, headersOf(bench, request), body)
  const found =
    answer.status === 200
      ? expectedOf(bench, question).flatMap((expected) => differences(expected, answer.body))
      : [{ path: 'status', expected: '200', got: `${answer.status} ${JSON.stringify(answer.body)}` }]
  const documents = question.kind === 'sessions' ? documentDifferences(bench, answer.body) : []
  if (found.length + documents.length === 0) return undefined
  return { question, request: `POST ${path} ${JSON.stringify(body)}`, differences: [...found, ...documents] }
}

/** Leaves out one clause after the other while the difference stays. */
export async function simplify(bench: Bench, finding: Finding): Promise<Finding> {
  for (const clause of finding.question.clauses) {
    const clauses = finding.question.clauses.filter((each) => each !== clause)
    const simpler = await ask(bench, { ...finding.question, clauses })
    if (simpler) return simplify(bench, simpler)
  }
  return finding
}

/**
 * Which sessions the service counts and the oracle does not, or the other way round: read from all pages of
 * the list.
 */
async function membership(bench: Bench, question: Question): Promise<string[]> {
  if (question.kind === 'live') return []
  const expected = new Set(
    within(bench.sessions, windowOf(question.asked, bench.now)).filter((each) => holds(each, question.clauses)),
  )
  const got = new Set<string>()
  for (let page = 1; page <= 20; page++) {
    const { path, body } = requestOf(bench, {
      kind: 'sessions',
      asked: question.asked,
      clauses: question.clauses,
      page: { limit: 100, page },
    })
    const answer = await bench.send('POST', path, bearer(bench.access), body)
    const documents = Array.isArray(answer.body['data']) ? answer.body['data'].filter(isRecord) : []
    for (const document of documents) got.add(String(document['id']))
    if (documents.length < 100) break
  }
  const missing = [...expected].filter((each) => !got.has(bench.idOf(each) ?? ''))
  const ids = new Set([...expected].map(bench.idOf))
  return [
    ...missing
      .slice(0, 2)
      .map(
        (each) =>
          `missing in the list: ${JSON.stringify(each, (_, value) => (value instanceof Set ? [...value] : value))}`,
      ),
    ...[...got]
      .filter((id) => !ids.has(id))
      .slice(0, 2)
      .map(
        (id) =>
          `too much in the list: ${id} ${JSON.stringify(
            bench.sessions.find((each) => bench.idOf(each) === id),
            (_, value) => (value instanceof Set ? [...value] : value),
          )}`,
      ),
  ]
}

export async function explain(bench: Bench, found: Finding): Promise<string> {
  const finding = await simplify(bench, found)
  const lines = finding.differences
    .slice(0, 6)
    .map((each) => `  ${each.path}: expected ${each.expected}, got ${each.got}`)
  const sessions = await membership(bench, finding.question)
  return [
    `at ${new Date(bench.now).toISOString()}: ${finding.request}`,
    ...lines,
    ...sessions.map((line) => `  ${line}`),
  ].join('\n')
}
