// What an owner copies into a page. Keys and addresses are of letters that need no escape in HTML.
import type { FormField, OwnForm } from '../../api/forms.ts'
import { namedPath, scriptUrl, serviceUrl } from '../../snippet.ts'
import { forms as text } from '../../texts/index.ts'

const { sample } = text.embed
const script = () => `<script defer src="${scriptUrl('/form.js')}"></script>`

export const managedSnippet = (key: string): string => `${script()}

<div data-footfall-form="${key}"><a href="mailto:you@example.com">${sample.write}</a></div>`

export const htmlSnippet = (key: string): string => `${script()}

<form data-footfall="${key}" method="post">
  <label>${sample.name} <input name="name" required></label>
  <label>${sample.email} <input name="email" type="email" required></label>
  <label>${sample.message} <textarea name="message"></textarea></label>
  <button>${sample.send}</button>
</form>`

/** Where a plain form is posted to, and where a managed form has its page. */
export const plainUrl = (key: string): string => `${serviceUrl()}${namedPath('/f')}/${key}`

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A control of a managed form in the simplest words that HTML has for it. */
function plainControl({ name, type, label, options, file }: FormField, isNeeded: boolean): string {
  const need = isNeeded ? ' required' : ''
  const said = escaped(label)
  if (type === 'textarea') return `<label>${said} <textarea name="${name}"${need}></textarea></label>`
  if (type.startsWith('select')) {
    const rows = options.map(
      ({ value, label: shown }) => `<option value="${escaped(value)}">${escaped(shown)}</option>`,
    )
    return `<label>${said} <select name="${name}"${type === 'select-multiple' ? ' multiple' : ''}${need}>${rows.join('')}</select></label>`
  }
  if (options.length > 0) {
    const rows = options.map(
      ({ value, label: shown }) =>
        `<label><input type="${type}" name="${name}" value="${escaped(value)}"> ${escaped(shown)}</label>`,
    )
    return ['<fieldset>', `  <legend>${said}</legend>`, ...rows.map((row) => `  ${row}`), '</fieldset>'].join('\n  ')
  }
  if (type === 'checkbox') return `<label><input type="checkbox" name="${name}" value="on"${need}> ${said}</label>`
  const takes = file ? ` accept="${file.types.join(',')}"${file.max_count > 1 ? ' multiple' : ''}` : ''
  return `<label>${said} <input type="${type}" name="${name}"${takes}${need}></label>`
}

const plainSample = [
  `<label>${sample.name} <input name="name" required></label>`,
  `<label>${sample.email} <input name="email" type="email" required></label>`,
  `<label>${sample.message} <textarea name="message"></textarea></label>`,
]

export function plainSnippet({ key, kind, fields, validation }: OwnForm): string {
  const isNeeded = ({ name }: FormField): boolean =>
    Object.keys(validation[name] ?? {}).some((rule) => rule === 'required' || rule === 'accepted')
  const rows = kind === 'managed' ? fields.map((field) => plainControl(field, isNeeded(field))) : plainSample
  const encoding = fields.some(({ file }) => file !== undefined) ? ' enctype="multipart/form-data"' : ''
  return `<form action="${plainUrl(key)}" method="post"${encoding}>
  ${rows.join('\n  ')}
  <input name="_gotcha" hidden tabindex="-1" autocomplete="off">
  <button>${sample.send}</button>
</form>`
}

/** docs/api/forms.md, "A client". */
export const fetchSnippet = (key: string): string => `<form id="contact" method="post">
  <input name="name" required>
  <input name="email" type="email" required>
  <button>${sample.send}</button>
</form>
<script type="module">
  const base = '${serviceUrl()}', key = '${key}'
  const sign = (text, day = new Date()) => {
    let hash = 0
    for (const unit of (day.getUTCFullYear() + text + day.getUTCDate()).split('')) hash = (hash * 31 + unit.charCodeAt(0)) | 0
    return String(hash >>> 0)
  }
  const post = async (path, headers, body) => {
    const reply = await fetch(base + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) })
    return reply.json()
  }
  const form = document.querySelector('#contact')
  const fields = { name: 'text', email: 'email' }
  const validation = { name: { required: null }, email: { required: null, email: null } }
  const opened = await post(\`${namedPath('/v2/form')}/\${key}/init\`, { 'X-SVC-FORM': sign(key) }, { fields, validation, source: 'contact page' })
  if (opened.error_type) throw new Error(opened.message)

  const startedMs = Date.now(), count = { k: 0, f: 0, m: 0, s: 0 }
  form.addEventListener('keydown', () => count.k++)
  form.addEventListener('focusin', () => count.f++)
  addEventListener('mousemove', () => (count.m = 1))
  addEventListener('scroll', () => (count.s = 1))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const answers = Object.fromEntries(new FormData(form))
    const signals = { dur: Date.now() - startedMs, gt: 'load', ...count, t: Object.values(answers).filter(Boolean).length,
      w: navigator.webdriver ? 1 : 0, p: navigator.plugins.length, l: navigator.languages.length }
    const sent = await post(\`${namedPath('/v2/form')}/\${opened.token}/process\`, { 'X-SVC-SESSION': sign(opened.token) },
      { map: fields, data: { ...answers, [opened.hp]: '' }, _sig: signals })
    if (sent.validated) form.innerHTML = sent.ty
    else alert(sent.errors ? Object.values(sent.errors).flat().join('\\n') : sent.message)
  })
</script>`
