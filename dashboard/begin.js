// Before anything is painted: the theme that was chosen here, so that a dark screen never flashes white. And
// what the first page will ask for: its answers are on their way while its code is still loading
// (dashboard/early.ts takes them). Left as it is, so it is written for every browser.
try {
  const chosen = localStorage.getItem('footfall-theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is shut: the system's theme it is.
}

;(() => {
  const { base = '', api = '' } = document.documentElement.dataset
  const path = location.pathname.slice(base.length)
  const [, property, page = 'overview'] = /^\/properties\/(\w+)(?:\/(\w+))?\/?$/.exec(path) ?? []
  const early = new Map()
  window.footfallEarly = early

  // Requests keep a phone busy for as long as the first paint does: they wait for it where there is one.
  function afterPaint(work) {
    if (document.hidden) work()
    else requestAnimationFrame(() => setTimeout(() => work()))
  }

  function ask(method, url, body) {
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    const controller = new AbortController()
    const answer = fetch(api + url, { method, headers, body, credentials: 'same-origin', signal: controller.signal })
    answer.catch(() => undefined) // whoever takes it is told
    early.set(`${method} ${api + url} ${body ?? ''}`, { answer, controller })
  }

  function isShared() {
    try {
      return sessionStorage.getItem('footfall-share') !== null
    } catch {
      return false
    }
  }

  // A share link speaks for its visitors, with a token of its own.
  if (/^\/(?:share|setup|invitation)\b/.test(path) || isShared()) return
  afterPaint(() => {
    if (window.footfallEarly !== early) return // the page was faster, and has asked by itself
    ask('GET', '/manage/session')
    // As the page itself asks when its URL says nothing (dashboard/pages/overview/view.ts): a test holds
    // both.
    const usual = { period: null, date_from: null, date_to: null, clauses: [], interval: null, compare: 'preceding' }
    if (property && page === 'overview' && location.search === '')
      ask('POST', `/manage/properties/${property}/overview`, JSON.stringify(usual))
  })
})()
