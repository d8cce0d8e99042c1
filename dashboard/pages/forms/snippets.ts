// What an owner copies into a page. Keys and addresses are of letters that need no escape in HTML.
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
