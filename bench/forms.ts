// Forms over HTTP: `init` and `process`, each submission checked and scored; one alone, and of many visitors
// at once. Every submission is of a form session of its own, opened before the time is taken.
import autocannon from 'autocannon'
import { settingsFor } from './homes.ts'
import { type Service, startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'
import { agents } from './writing.ts'

/** Sent before anything is measured: by then the code is compiled, as it is after a minute of service. */
const FIRST_FORMS = 3_000
/** One after another; and of each number of visitors at once. */
const ALONE = 100
const FORMS = 9_000
const OPENED_AT_ONCE = 64
const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'
const ORIGIN = 'https://bench.example'

const json = { 'content-type': 'application/json' }

interface Site {
  readonly url: string
  readonly formKey: string
}

async function post<Answer>(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })
  return (await response.json()) as Answer
}

async function makeSite(url: string): Promise<Site> {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
  type Made = { data: { property: { id: string } } }
  const draft = { name: 'Bench', domains: ['bench.example'] }
  const { property } = (await post<Made>(`${url}/manage/properties`, admin, draft)).data
  type MadeForm = { data: { form: { key: string } } }
  const form = { name: 'Bench', kind: 'open', is_published: true }
  const made = await post<MadeForm>(`${url}/manage/properties/${property.id}/forms`, admin, form)
  return { url, formKey: made.data.form.key }
}

/** The signature of docs/api/forms.md. */
function sign(key: string): string {
  const day = new Date()
  let hash = 0
  for (const unit of `${day.getUTCFullYear()}${key}${day.getUTCDate()}`) hash = (hash * 31 + unit.charCodeAt(0)) | 0
  return String(hash >>> 0)
}

let visitors = 0

/** An address of its own for each visitor, as a form session is bound to it. */
function headersOf(): Record<string, string> {
  const visitor = visitors++
  return {
    ...json,
    origin: ORIGIN,
    'x-forwarded-for': `81.${128 + ((visitor >> 16) & 15)}.${(visitor >> 8) & 255}.${visitor & 255}`,
    'user-agent': agents[visitor % agents.length]!,
  }
}

/** A form that is open, and the request that sends it. */
async function open({ url, formKey }: Site): Promise<autocannon.Request> {
  const headers = headersOf()
  const body = { fields: { name: 'text', message: 'textarea' } }
  const { token } = await post<{ token?: string }>(
    `${url}/v2/form/${formKey}/init`,
    { ...headers, 'x-svc-form': sign(formKey) },
    body,
  )
  if (token === undefined) throw new Error('a form was not opened')
  const sent = {
    map: { name: 'text', message: 'textarea' },
    data: { name: `Visitor ${visitors}`, message: `I would like to know more of number ${visitors}.` },
  }
  return {
    method: 'POST',
    path: `/v2/form/${token}/process`,
    headers: { ...headers, 'x-svc-session': sign(token) },
    body: JSON.stringify(sent),
  }
}

async function openMany(site: Site, count: number): Promise<{ requests: autocannon.Request[]; seconds: number }> {
  const requests: autocannon.Request[] = []
  const startMs = performance.now()
  const openSome = async () => {
    while (requests.length < count) requests.push(await open(site))
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openSome))
  return { requests, seconds: (performance.now() - startMs) / 1000 }
}

async function sendAlone(site: Site, server: Service): Promise<Row> {
  const times: number[] = []
  let used = 0
  for (let run = 0; run < ALONE; run++) {
    const { path, headers, body } = await open(site)
    const [startMs, startCpuMs] = [performance.now(), server.cpuMs()]
    const answer = await fetch(site.url + path!, { method: 'POST', headers: headers!, body: body! })
    await answer.text()
    if (answer.status !== 200) throw new Error(`a form was answered ${answer.status}`)
    times.push(performance.now() - startMs)
    used += server.cpuMs() - startCpuMs
  }
  const sorted = times.toSorted((one, other) => one - other)
  return { name: 'process, one alone', p50Ms: share(sorted, 0.5), p99Ms: share(sorted, 0.99), cpuMs: used / ALONE }
}

/** Each is sent once. Only those that are stored count. */
async function sendMany(url: string, requests: readonly autocannon.Request[], connections: number) {
  let refused = 0
  const onResponse = (status: number, body: string): void => {
    if (status !== 200 || !body.includes('"validated":true')) refused++
  }
  const each = Math.floor(requests.length / connections)
  let at = 0
  const next = (): autocannon.Request => ({ ...requests[at++]!, onResponse })
  const result = await autocannon({
    url,
    connections,
    amount: each * connections,
    setupClient: (client) => client.setRequests(Array.from({ length: each }, next)),
  })
  return { ...result, refused }
}

/** @param connections of each measurement. */
export async function measureForms(dataDir: string, connections: readonly number[]): Promise<Row[]> {
  const server = await startFootfall({ ...settingsFor(dataDir), ADMIN_TOKEN })
  try {
    const site = await makeSite(server.url)
    await sendMany(server.url, (await openMany(site, FIRST_FORMS)).requests, OPENED_AT_ONCE)
    const rows = [await sendAlone(site, server)]
    for (const atOnce of connections) {
      const { requests, seconds } = await openMany(site, FORMS)
      const startCpuMs = server.cpuMs()
      const sent = await sendMany(server.url, requests, atOnce)
      const cpuMs = (server.cpuMs() - startCpuMs) / FORMS
      rows.push(
        { name: `init, ${OPENED_AT_ONCE} at once (a slower driver)`, perSecond: FORMS / seconds },
        {
          name: `process, ${atOnce} at once`,
          perSecond: sent['2xx'] / sent.duration,
          p50Ms: sent.latency.p50,
          p99Ms: sent.latency.p99,
          cpuMs,
          refused: sent.refused + sent.errors,
        },
      )
    }
    return rows
  } finally {
    await server.stop()
  }
}
