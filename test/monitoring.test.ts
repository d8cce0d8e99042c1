// The alert rules and the Grafana dashboard name metrics, labels and routes that there are.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startFootfall } from './support/server.ts'

const read = (name: string): string => readFileSync(new URL(`../examples/monitoring/${name}`, import.meta.url), 'utf8')

const found = (rule: string, field: RegExp): string => field.exec(rule)?.[1] ?? ''

/** Each field is on a line of its own. */
const rules = read('alerts.yml')
  .split('- alert: ')
  .slice(1)
  .map((rule) => ({
    alert: found(rule, /^(.*)$/m),
    expr: found(rule, /^ +expr: (.+)$/m),
    for: found(rule, /^ +for: (.+)$/m),
    severity: found(rule, /severity: (\w+)/),
    summary: found(rule, /^ +summary: ['"](.+)['"]$/m),
  }))

const panels: readonly { title: string; targets: readonly { expr: string }[] }[] = JSON.parse(
  read('grafana.json'),
).panels
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

/** Prometheus makes it of each scrape. */
const ofPrometheus = new Set(['up'])
const words = /\b(?:footfall|process|nodejs)_[a-z0-9_]+|\bup(?=\{)/g

test('alert rules and the dashboard name metrics that /metrics has, with labels and routes that there are', async (t) => {
  const footfall = await startFootfall(t)
  // One answer each, so that there are labels.
  await footfall.track.load()
  const text = (await footfall.call('GET', '/metrics')).text
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  for (const expression of expressions) {
    const named = expression.match(words) ?? []
    assert.ok(named.length > 0, expression)
    for (const name of named) assert.ok(known.has(name) || ofPrometheus.has(name), `${name} in ${expression}`)
    for (const [, route = ''] of expression.matchAll(/route="([^"]+)"/g))
      assert.ok(
        footfall.app.hasRoute({ method: 'GET', url: route }) || footfall.app.hasRoute({ method: 'POST', url: route }),
        route,
      )
    const labels = [...expression.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label)
    for (const label of labels)
      assert.ok(['job', 'instance'].includes(label) || text.includes(`${label}="`), `${label} in ${expression}`)
    for (const [open, close] of ['()', '{}', '[]'])
      assert.equal(expression.split(open!).length, expression.split(close!).length, expression)
  }
})

test('every rule waits, has a severity, and says in a sentence what is the matter', () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const rule of rules) {
    assert.match(rule.alert, /^Footfall[A-Z]\w+$/)
    assert.match(rule.for, /^\d+[mh]$/)
    assert.match(rule.severity, /^(?:critical|warning|info)$/)
    assert.ok(rule.summary.length > 20, rule.alert)
  }
})

test('every own metric is on the dashboard', async (t) => {
  const footfall = await startFootfall(t)
  const text = (await footfall.call('GET', '/metrics')).text
  const own = [...text.matchAll(/^# TYPE (footfall_\S+)/gm)].map(([, name = '']) => name)
  const shown = expressions.join(' ')
  assert.deepEqual(
    own.filter((name) => !shown.includes(name)),
    [],
  )
})
