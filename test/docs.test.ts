// The documentation says what the program does: settings and error codes are compared both ways, word for
// word where it can be.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { settingRows } from '../server/settings.ts'
import * as limits from '../server/forms/form-model.ts'
import { messages } from '../server/forms/rule-messages.ts'
import { internalErrorBody } from '../server/http/answer.ts'
import { BROKEN_REQUEST } from '../server/http/errors.ts'
import { scoreReasons } from '../server/spam-score/score.ts'
import { problems } from '../server/kernel/problem.ts'

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')

/** Rows of the first table under a heading row that begins with `first`. */
function tableOf(text: string, first: string): string[][] {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => line.startsWith(`| ${first} |`))
  assert.notEqual(head, -1, `a table that begins with ${first}`)
  const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'))
  return lines.slice(head + 2, end === -1 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('docs/settings.md has every setting, and none that does not exist', () => {
  const written = tableOf(page('settings.md'), 'Setting')
  assert.deepEqual(
    written,
    settingRows.map((row) => [row.name, row.type, row.default, row.sentence]),
  )
})

test('docs/errors.md has every error code with its status, and none that does not exist', () => {
  const written = tableOf(page('errors.md'), 'Status').map(([status, errorCode]) => `${status} ${errorCode}`)
  const known = Object.values(problems).map(({ status, errorCode }) => `${status} ${errorCode}`)
  const others = [
    `${internalErrorBody.code} ${internalErrorBody.error_code}`,
    `${Object.values(BROKEN_REQUEST.statuses).join(', ')} ${BROKEN_REQUEST.errorCode}`,
  ]
  assert.deepEqual(written.toSorted(), [...known, ...others].toSorted())
})

test('docs/definitions.md has every reason of the spam score with what it is worth, and none that does not exist', () => {
  assert.deepEqual(
    tableOf(page('definitions.md'), 'Reason'),
    Object.entries(scoreReasons).map(([name, { family, strength, points, sentence }]) => [
      `\`${name}\``,
      family,
      strength,
      String(points),
      sentence,
    ]),
  )
})

test('docs/api/forms.md has every rule with its default message, and none that does not exist', () => {
  const bare = (cell = '') => cell.replaceAll('`', '').replace(/\[.*\]/u, '')
  const written = tableOf(page('api/forms.md'), 'Rule').map(([rule, message]) => [bare(rule), message])
  const known = Object.entries(messages).map(([rule, say]) => [rule, say('{label}', '{n}')])
  assert.deepEqual(written, known)
})

test('docs/api/forms.md has the limits of forms', () => {
  const text = page('api/forms.md')
  const last = text.slice(text.indexOf('## Limits'))
  const numbers = (from: string) =>
    [...from.matchAll(/\d[\d,]*/gu)].map(([number]) => Number(number.replaceAll(',', '')))
  assert.deepEqual(numbers(last), [
    limits.MAX_FIELDS,
    limits.MAX_RULES,
    limits.MAX_PARAMETER,
    limits.MAX_MESSAGE,
    limits.MAX_FIELD_NAME,
    limits.MAX_ANSWER,
    limits.MAX_CHOICES,
    limits.MAX_HTML,
    limits.MAX_PAGE_HTML,
    limits.TOKEN_SECONDS,
    limits.FREE_SESSIONS,
    limits.MAX_HELD_BYTES / 1024 ** 2,
  ])
  const sentences = [
    `at most ${limits.MAX_KEPT.toLocaleString('en')} a form, of these ${limits.MAX_KEPT_DROPPED.toLocaleString('en')} dropped`,
    `A property has at most ${limits.MAX_FORMS}.`,
    `| \`retention_days\` | ${limits.MAX_RETENTION_DAYS} |`,
    `| \`is_ip_kept\`, \`ip_retention_days\` | ${limits.MAX_RETENTION_DAYS} |`,
    `kept for ${limits.IP_RETENTION_DAYS} days when nothing is said`,
    `(${limits.IP_RETENTION_DAYS}; null is ${limits.IP_RETENTION_DAYS})`,
    `| \`domains\` | ${limits.MAX_DOMAINS} |`,
    `| \`name\` | ${limits.MAX_FORM_NAME} |`,
  ]
  for (const sentence of sentences) assert.ok(text.includes(sentence), sentence)
  for (const word of [...limits.fieldTypes, ...limits.fonts, ...limits.densities, ...limits.websiteThemes])
    assert.ok(text.includes(`\`${word}\``), word)
})

/** How a guide says where something is: **Settings → Keys**, **New link**; sentences in bold are none. */
const namesIn = (text: string): string[] =>
  [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/\*\*([^*]+)\*\*/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/[.:?]$/.test(name) && !/^`|[<`]/.test(name))
    .flatMap((name) => name.split(' → '))

test('buttons and pages that the guides name are called that in the dashboard', () => {
  const texts = globSync('*.ts', { cwd: new URL('../dashboard/texts/en/', import.meta.url).pathname })
    .map((file) => readFileSync(new URL(`../dashboard/texts/en/${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const guides = ['start', 'overview', 'goals', 'links', 'forms', 'contacts', 'automations', 'experiments', 'recipes']
  const known = guides.flatMap((guide) => namesIn(page(`${guide}.md`)).map((name) => [guide, name] as const))
  assert.ok(known.length > 50)
  const isSaid = (name: string): boolean => [`'${name}'`, `'${name}…'`].some((quoted) => texts.includes(quoted))
  assert.deepEqual(
    known.filter(([, name]) => !isSaid(name)),
    [],
  )
})

test('the check of the tables can fail', () => {
  assert.deepEqual(tableOf('# x\n\n| Status | b |\n|---|---|\n| 1 | 2 |\n\nrest', 'Status'), [['1', '2']])
  assert.throws(() => tableOf('no table here', 'Status'))
})
