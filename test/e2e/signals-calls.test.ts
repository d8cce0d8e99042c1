// signals.js in a browser, against the real service: what pages tell it.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE, openBrowser } from '../support/browser.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { eventsOf, eventually, newVisitor, openSite, pageWith, pause, viewsOf } from '../support/site.ts'

buildLibraries()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })

const views = (property: string, count: number) =>
  eventually(
    () => viewsOf(footfall, property),
    (found) => found.length >= count,
  )
const events = async (property: string, count: number): Promise<(readonly [string, string | null])[]> => {
  const found = await eventually(
    () => eventsOf(footfall, property),
    (stored) => stored.length >= count,
  )
  return found.map(({ name, value }) => [name, value] as const)
}

/** They are stored as they come in; two of one moment in any order. */
const byName = (found: (readonly [string, string | null])[]) => found.toSorted(([a], [b]) => (a < b ? -1 : 1))

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('calls that were queued before the script was there come first, and in their order', async (t) => {
    const { id, key } = await footfall.addProperty()
    const queue = `<script>window.signals = window.signals || []
    signals.push(['event', 'first', 1]); signals.push(['event', 'second'])</script>`
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], queue) } })
    const { page, errors } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.evaluate(`signals.push(['event', 'third', true])`)
    const answer = await page.evaluate(`signals.event('fourth', 'x', { plan: 'pro' })`)
    assert.deepEqual(answer, { success: true, message: 'ok' })
    const expected = [
      ['first', '1'],
      ['fourth', 'x'],
      ['second', null],
      ['third', 'true'],
    ]
    assert.deepEqual(byName(await events(id, 4)), expected)
    assert.deepEqual(errors, [])
  })

  test('what is no call is left out of a queue, and takes neither its neighbours nor the page with it', async (t) => {
    const { id, key } = await footfall.addProperty()
    const queue = `<script>window.signals = window.signals || []
    signals.push(['evnt'], null, 'event', ['event', 'first'], ['session'])</script>`
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], queue) } })
    const { page, errors } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.evaluate(`signals.push(['evnt'], ['event', 'second'], undefined, ['event', 'third'])`)
    const expected = [
      ['first', null],
      ['second', null],
      ['third', null],
    ]
    assert.deepEqual(byName(await events(id, 3)), expected)
    assert.deepEqual(errors, [])
  })

  test('acquisition, identify and resolve answer as the service does; a browser that sends GPC is not identified', async (t) => {
    const { key } = await footfall.addProperty()
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
    const { page } = await newVisitor(t, browser)
    await page.goto(site.url)
    const call = (script: string) => page.evaluate<Record<string, unknown>>(script)
    const { value } = await call(`signals.acquisition({ value: 4900, currency_code: 'USD', tags: ['shop:order:1'] })`)
    assert.deepEqual(value, { amount: 4900, amount_usd: 4900, currency: 'USD' })
    const known = await call(`signals.identify({ email: 'ann@example.com', traits: { first_name: 'Ann' } })`)
    assert.deepEqual([known['success'], known['linked_to_session']], [true, true])
    assert.equal(await page.evaluate('signals.resolve()'), await page.evaluate('signals.session'))
    await page.setExtraHTTPHeaders({ 'sec-gpc': '1' })
    assert.deepEqual(await call(`signals.identify({ email: 'ann@example.com' })`), {
      success: true,
      contact_id: null,
      linked_to_session: false,
      gpc: true,
    })
  })

  test('links to other sites and to files, and a missing page, are events where the tag asks for them', async (t) => {
    const { id, key } = await footfall.addProperty()
    const links = `<a id="out" href="http://localhost:1/away?mail=a@b.c#x">out</a><a id="file" href="/Report.PDF?x">file</a>
    <a id="in" href="#in">in</a><a id="mail" href="mailto:a@example.com">mail</a> <a id="app" href="whatsapp://send?text=hi">app</a>
    <script>addEventListener('click', (click) => click.preventDefault())</script>`
    const attributes = 'data-outbound data-downloads data-status="404"'
    const site = await openSite(t, {
      '/asked': { html: pageWith(footfall, [{ key, attributes }], links), status: 404 },
      '/not': { html: pageWith(footfall, [{ key }], links) },
      '/own': { html: pageWith(footfall, [{ key, attributes: 'data-downloads="odt|pdf"' }], links) },
    })
    const { page } = await newVisitor(t, browser)
    const clickAll = async (path: string) => {
      await page.goto(site.url + path)
      await page.waitForFunction('signals.session')
      await page.waitForLoadState('networkidle')
      for (const link of ['in', 'out', 'mail', 'app', 'file']) await page.click(`#${link}`)
      await page.click('#out', { button: 'right' })
    }
    await clickAll('not')
    await clickAll('asked')
    const asked = [
      ['404', '/asked'],
      ['download', `${site.url}Report.PDF`],
      ['outbound', 'http://localhost:1/away'],
    ]
    assert.deepEqual(byName(await events(id, 3)), asked)
    await clickAll('own')
    assert.equal((await events(id, 4)).length, 4)
    await pause(300)
    assert.equal((await events(id, 4)).length, 4)
  })

  test('a link is one around a shadow root too, endings are texts, and a click on nothing is no error', async (t) => {
    const { id, key } = await footfall.addProperty()
    const links = `<a href="/icon.pdf"><span id="icon"></span></a><a id="source" href="/main.c++">source</a><a id="c" href="/main.cc">c</a>
    <script>icon.attachShadow({ mode: 'open' }).innerHTML = '<b>icon</b>'
    addEventListener('click', (click) => click.preventDefault())</script>`
    const tag = { key, attributes: 'data-outbound data-downloads="c++|(|pdf"' }
    const site = await openSite(t, { '/': { html: pageWith(footfall, [tag], links) } })
    const { page, errors } = await newVisitor(t, browser)
    const reports: string[] = []
    page.on('request', (request) => request.url().endsWith('/v2/lib/error') && reports.push(request.postData() ?? ''))
    await page.goto(site.url)
    await page.waitForFunction('signals.session')
    await page.waitForLoadState('networkidle')
    await page.evaluate(`[window, document].forEach((of) => of.dispatchEvent(new MouseEvent('click')))`)
    for (const link of ['b', '#source', '#c']) await page.click(link)
    const found = byName(await events(id, 2)).map(([, value]) => `${value}`.replace(site.url, '/'))
    assert.deepEqual(found.toSorted(), ['/icon.pdf', '/main.c++'])
    assert.deepEqual([reports, errors], [[], []])
  })

  test('an element that names an event tells it with its properties when it is clicked, a form when it is sent', async (t) => {
    const { id, key } = await footfall.addProperty()
    const html = `<button data-signals-event="Sign up" data-signals-plan="pro" data-signals-how-many="2"><b id="in">in</b></button>
    <a id="buy" href="#x" data-signals-event="Buy" data-signals-value="4900">Buy</a><i id="none" data-signals-event="">none</i>
    <form id="form" data-signals-event="Sent" data-signals-form="news" onsubmit="return false"><input required id="mail"><button id="send">Send</button></form>
    <p id="host"></p><script>host.attachShadow({ mode: 'open' }).innerHTML = '<u data-signals-event="Shadow">u</u>'</script>`
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], html) } })
    const { page, errors, requests } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.waitForFunction('signals.session')
    await eventually(
      async () => requests.filter((url) => url.endsWith('/extras.js')).length,
      (count) => count === 1,
    )
    await page.waitForLoadState('networkidle')
    for (const element of ['#in', '#none', '#send']) await page.click(element)
    await page.focus('#buy')
    await page.keyboard.press('Enter')
    await page.click('u')
    await page.click('#buy', { button: 'right' })
    await page.fill('#mail', 'a')
    await page.keyboard.press('Enter')
    const expected = [
      ['Buy', '4900'],
      ['Sent', null],
      ['Shadow', null],
      ['Sign up', null],
    ]
    assert.deepEqual(byName(await events(id, 4)), expected)
    const stored = await footfall.context.facts.query<{ name: string; meta: Record<string, string> }>(
      'test',
      'SELECT name, meta FROM events WHERE property = {id:String} ORDER BY name',
      { id },
    )
    assert.deepEqual(
      stored.map(({ meta }) => meta),
      [{}, { form: 'news' }, {}, { plan: 'pro', 'how-many': '2' }],
    )
    assert.deepEqual(errors, [])
  })

  test('a page that uses none of the extras does not load them', async (t) => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
    const { page, requests } = await newVisitor(t, browser)
    await page.goto(site.url)
    await views(id, 1)
    await page.waitForLoadState('networkidle')
    const own = requests.filter((url) => url.startsWith(footfall.url)).map((url) => new URL(url).pathname)
    assert.deepEqual(own, ['/signals.js', '/v2/signal/load'])
  })

  test('a tag manager, which gives a script no attributes, names them beside it', async (t) => {
    const { id, key } = await footfall.addProperty()
    const html = `<script>footfallTag = { key: '${key}', outbound: '', 'props-author': 'Ann' }</script>
      <script src="${footfall.url}/tag.js"></script><a id="out" href="https://elsewhere.example/x" onclick="return false">out</a>`
    const site = await openSite(t, { '/': { html } })
    const { page, errors, requests } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.waitForFunction('globalThis.signals?.session')
    await eventually(
      async () => requests.some((url) => url.endsWith('/extras.js')),
      (is) => is,
    )
    await page.waitForLoadState('networkidle')
    await page.click('#out')
    assert.deepEqual(byName(await events(id, 1)), [['outbound', 'https://elsewhere.example/x']])
    assert.equal(await page.locator('script[data-props-author=Ann]').count(), 1)
    assert.deepEqual(errors, [])
  })

  test('the load is one request without a preflight', async (t) => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
    const { page } = await newVisitor(t, browser)
    const sent: (readonly [string, Record<string, string>])[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/load')) sent.push([request.method(), request.headers()])
    })
    await page.goto(site.url)
    await views(id, 1)
    const [[method, headers]] = sent as [(typeof sent)[0]]
    assert.deepEqual([sent.length, method, headers['content-type']], [1, 'POST', 'text/plain;charset=UTF-8'])
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('x-')),
      [],
    )
  })

  test('properties of a page come from its tag, from a queued call and from later ones', async (t) => {
    const { id, key } = await footfall.addProperty()
    const queue = `<script>window.signals = [['set', { plan: 'pro', author: 'Bob' }]]</script>`
    const tag = { key, attributes: 'data-props-author="Ann" data-props-section="news"' }
    const site = await openSite(t, { '/': { html: pageWith(footfall, [tag], queue) } })
    const { page, errors } = await newVisitor(t, browser)
    const props = async (count: number) => {
      await views(id, count)
      const rows = await footfall.context.facts.query<{ props: string }>(
        'test',
        'SELECT props FROM views FINAL WHERE property = {id:String} ORDER BY at',
        { id },
      )
      return JSON.parse(rows.at(-1)?.props || '{}') as object
    }
    await page.goto(site.url)
    assert.deepEqual(await props(1), { author: 'Bob', section: 'news', plan: 'pro' })
    await page.evaluate(`signals.set({ plan: null, user: 7 }), history.pushState(null, '', '/next')`)
    assert.deepEqual(await props(2), { author: 'Bob', section: 'news', user: '7' })
    assert.deepEqual(errors, [])
  })

  test('where consent is required nothing is sent before optIn, and nothing after optOut, on later pages too', async (t) => {
    const { id, key } = await footfall.addProperty()
    const asks = { key, attributes: 'data-consent="required" data-outbound' }
    const site = await openSite(t, {
      '/': { html: pageWith(footfall, [asks], `<a href="http://localhost:1/" onclick="return false">out</a>`) },
      '/free': { html: pageWith(footfall, [{ key }]) },
    })
    const { page, requests, errors } = await newVisitor(t, browser)
    const calls = () => requests.filter((url) => url.includes('/v2/'))
    const stored = () => page.evaluate('({ ...localStorage })')
    await page.goto(site.url)
    await page.waitForLoadState('networkidle')
    await page.click('a')
    assert.equal(await page.evaluate(`signals.event('early')`), null)
    await pause(600)
    assert.deepEqual([calls(), await stored()], [[], {}])
    await page.evaluate('signals.optIn()')
    assert.deepEqual(await page.evaluate(`signals.event('agreed')`), { success: true, message: 'ok' })
    await page.goto(site.url)
    await views(id, 2)
    await page.evaluate('signals.optOut()')
    const before = calls().length
    assert.deepEqual(await page.evaluate(`Promise.all([signals.event('late'), signals.resolve()])`), [null, null])
    await page.goto(`${site.url}free`)
    await pause(600)
    assert.deepEqual([calls().length, await stored()], [before, { signals: 'off' }])
    await page.evaluate('signals.optIn(), signals.optIn()')
    assert.equal((await views(id, 3)).length, 3)
    assert.deepEqual(await events(id, 1), [['agreed', null]])
    assert.deepEqual(errors, [])
  })

  test('the click on a link that leaves the page gets through', async (t) => {
    const { id, key } = await footfall.addProperty()
    const other = await openSite(t, { '/': { html: 'elsewhere' } }, 'localhost')
    const html = pageWith(footfall, [{ key, attributes: 'data-outbound' }], `<a href="${other.url}">out</a>`)
    const site = await openSite(t, { '/': { html } })
    const { page } = await newVisitor(t, browser)
    for (let round = 1; round <= 5; round++) {
      await page.goto(site.url)
      await page.waitForFunction('signals.session')
      await page.waitForLoadState('networkidle')
      await page.click('a')
      await page.waitForURL(other.url)
      assert.equal((await events(id, round)).length, round)
    }
  })

  test('two properties on a page count apart; window.signals is the first one, the other has the name that its tag gives', async (t) => {
    const [one, two] = [await footfall.addProperty(), await footfall.addProperty()]
    const tags = [{ key: one.key }, { key: two.key, attributes: 'data-as="shop"' }, { key: one.key }]
    const site = await openSite(t, { '/': { html: pageWith(footfall, tags) } })
    const { page } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.evaluate(`Promise.all([signals.event('a'), shop.event('b')])`)
    assert.deepEqual([await events(one.id, 1), await events(two.id, 1)], [[['a', null]], [['b', null]]])
    // A tag twice counts once.
    assert.deepEqual([(await views(one.id, 1)).length, (await views(two.id, 1)).length], [1, 1])
  })

  test('a page in a frame of another site is counted with its time', async (t) => {
    const { id, key } = await footfall.addProperty()
    const inner = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], '', 'Inner') } }, 'localhost')
    const sandboxed = `<iframe src="${inner.url}"></iframe><iframe sandbox="allow-scripts" src="${inner.url}"></iframe>`
    const site = await openSite(t, { '/': { html: sandboxed }, '/next': { html: 'next' } })
    const { page } = await newVisitor(t, browser)
    const begunMs = performance.now()
    await page.goto(site.url)
    const found = await views(id, 2)
    assert.deepEqual(
      found.map(({ url, title }) => [url, title]),
      [
        [inner.url, 'Inner'],
        [inner.url, 'Inner'],
      ],
    )
    await pause(900)
    await page.goto(`${site.url}next`)
    const mostSeconds = (performance.now() - begunMs) / 1000
    const timed = await eventually(
      () => viewsOf(footfall, id),
      (all) => all.every(({ seconds }) => seconds > 0),
    )
    assert.ok(
      timed.every(({ seconds }) => seconds >= 1 && seconds <= mostSeconds + 1),
      JSON.stringify([timed, mostSeconds]),
    )
  })

  test('a strict Content-Security-Policy that names the service is enough', async (t) => {
    const { id, key } = await footfall.addProperty()
    const policy = `default-src 'none'; script-src ${footfall.url}; connect-src ${footfall.url}; require-trusted-types-for 'script'`
    const headers = {
      'content-security-policy': policy,
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    }
    const site = await openSite(t, {
      '/': { html: pageWith(footfall, [{ key }]).replace(/ style="[^"]*"/, ''), headers },
    })
    const { page, errors } = await newVisitor(t, browser)
    await page.goto(site.url)
    await views(id, 1)
    await pause(800)
    await page.goto('about:blank')
    const [view] = await eventually(
      () => viewsOf(footfall, id),
      ([first]) => (first?.seconds ?? 0) > 0,
    )
    assert.equal(view?.url, site.url)
    assert.deepEqual(errors, [])
  })

  test('?signals=off leaves a browser out until ?signals=on, and nothing else is ever stored', async (t) => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
    const { page } = await newVisitor(t, browser)
    const stored = () => page.evaluate('[document.cookie, { ...localStorage }, { ...sessionStorage }]')
    await page.goto(site.url)
    assert.equal((await views(id, 1)).length, 1)
    assert.deepEqual(await stored(), ['', {}, {}])
    await page.goto(`${site.url}?signals=offers`)
    assert.equal((await views(id, 2)).length, 2)
    assert.deepEqual(await stored(), ['', {}, {}])
    await page.goto(`${site.url}?signals=off&x=1`)
    assert.deepEqual(await stored(), ['', { signals: 'off' }, {}])
    assert.deepEqual(await page.evaluate(`Promise.all([signals.event('a'), signals.resolve()])`), [null, null])
    await page.evaluate('signals.view()')
    await page.goto(site.url)
    await pause(500)
    assert.equal((await views(id, 2)).length, 2)
    assert.deepEqual(await eventsOf(footfall, id), [])
    await page.goto(`${site.url}?signals=on`)
    assert.equal((await views(id, 3)).length, 3)
    assert.deepEqual((await page.context().cookies()).length, 0)
  })
})
