// Search over the documentation: the index is loaded when somebody begins to type. Enter opens the first
// result, also where it is pressed before the index is there. The slash key leads into the field, Escape out
// of it. A link to a folded endpoint unfolds it.
const script = document.currentScript
const { search: indexUrl, root } = script.dataset
const field = document.querySelector('input[type=search]')
const found = document.getElementById('found')
const MOST = 12
let index
let searching = Promise.resolve()

const plain = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** What could not be loaded is asked for again at the next key. */
async function load() {
  index ??= fetch(indexUrl).then((answer) => answer.json())
  return index.catch((error) => {
    index = undefined
    throw error
  })
}

/** Words of the heading count most, then those of the page, then those of the text. */
function worth([, page, heading, text], words) {
  let sum = 0
  for (const word of words) {
    const at = [plain(heading), plain(page), plain(text)].findIndex((part) => part.includes(word))
    if (at < 0) return 0
    sum += [100, 10, 1][at] + (plain(heading).startsWith(word) ? 50 : 0)
  }
  return sum
}

function say(text) {
  found.textContent = text
  found.hidden = field.value.trim() === ''
}

function draw(entries) {
  if (entries.length === 0) return say('Nothing found.')
  say('')
  const list = document.createElement('ul')
  for (const [path, page, heading, text] of entries) {
    const link = document.createElement('a')
    link.href = path === '' ? `${root}../docs` : root + path
    if (path.startsWith('#')) link.href = `${root}../docs${path}`
    const name = document.createElement('strong')
    name.textContent = heading
    const from = document.createElement('span')
    from.textContent = page === heading ? text.slice(0, 90) : `${page} · ${text.slice(0, 90)}`
    link.append(name, from)
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  found.append(list)
}

async function search() {
  const words = plain(field.value).split(/\s+/).filter(Boolean)
  if (words.length === 0) return draw([])
  const entries = await load()
  const ranked = entries.map((entry) => [worth(entry, words), entry]).filter(([sum]) => sum > 0)
  draw(
    ranked
      .toSorted(([one], [other]) => other - one)
      .slice(0, MOST)
      .map(([, entry]) => entry),
  )
}

field.addEventListener('input', () => {
  searching = search().catch(() => say('The search could not be loaded.'))
})
async function openFirst() {
  await searching
  if (!found.hidden) found.querySelector('a')?.click()
}
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') void openFirst()
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select')
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    field.focus()
  }
  if (event.key === 'Escape') {
    field.value = ''
    found.hidden = true
  }
})

/** Code is there to be copied. */
for (const block of document.querySelectorAll('article pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  const copy = async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent.trimEnd())
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  }
  button.addEventListener('click', () => void copy())
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}

function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target || target.tagName !== 'DETAILS') return
  target.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', unfold)
unfold()

// On a wide window the contents are always there.
const menu = document.querySelector('.menu')
const wide = matchMedia('(min-width: 60rem)')
const follow = () => (menu.open = wide.matches)
wide.addEventListener('change', follow)
follow()
menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
