// The plugin for WordPress, in a real one: who is counted and who is not, orders and leads of the visit in
// which they happened, and a site that goes on while the service is away.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROME, type Footfall, startFootfall } from './support/server.ts'
import { missingForWordPress, startWordPress, type WordPress } from './support/wordpress.ts'

/** As WooCommerce and Contact Form 7 call it: the hooks and methods that the plugin uses. */
const STUB = `<?php
class Stub_Order {
  private $id; public function __construct( $id ) { $this->id = $id; }
  public function get_id() { return $this->id; }
  public function get_currency() { return get_option( "stub_currency_$this->id" ); }
  public function get_total() { return get_option( "stub_total_$this->id" ); }
  public function get_meta( $key ) { return get_option( "stub_meta_$this->id$key", '' ); }
  public function update_meta_data( $key, $value ) { update_option( "stub_meta_$this->id$key", $value ); }
  public function save() {}
}
function wc_get_order( $id ) { return new Stub_Order( $id ); }
class WPCF7_Submission {
  public static function get_instance() { return new self(); }
  public function get_posted_data() { return array( 'your-email' => 'ada@example.com', 'your-name' => 'Ada Lovelace', 'your-message' => 'A secret' ); }
}
add_action( 'template_redirect', function () {
  if ( isset( $_GET['order'] ) ) { do_action( 'woocommerce_checkout_order_processed', (int) $_GET['order'] ); exit( 'ordered' ); }
  if ( isset( $_GET['write'] ) ) { do_action( 'wpcf7_mail_sent', null ); exit( 'written' ); }
} );
`

const visitor = { 'user-agent': CHROME, 'accept-language': 'en-GB,en;q=0.9' }
/** What a machine lacks is named by tools/test.mjs; a test that is skipped would be a failed one on CI. */
const describeHere = missingForWordPress().length === 0 ? describe : (): void => undefined

void describeHere('the plugin for WordPress', () => {
  const closers: (() => Promise<void>)[] = []
  const ending = { after: (close: () => Promise<void>) => closers.push(close) }
  let footfall: Footfall
  let site: WordPress

  const set = (patch: Readonly<Record<string, string>>): Promise<string> =>
    site.php(
      `update_option( 'footfall', array_merge( (array) get_option( 'footfall', array() ), json_decode( '${JSON.stringify(patch)}', true ) ) );`,
    )
  const open = (path = '/', headers: Record<string, string> = {}) =>
    fetch(site.url + path, { headers: { ...visitor, ...headers } })
  const pay = async (id: number): Promise<void> => {
    for (const status of ['processing', 'processing', 'completed'])
      await site.php(`do_action( 'woocommerce_order_status_${status}', ${id} );`)
  }
  const order = (id: number, total: string, currency: string) =>
    site.php(`update_option( 'stub_total_${id}', '${total}' ); update_option( 'stub_currency_${id}', '${currency}' );`)

  /** The cookies of somebody who writes the pages. */
  async function signIn(): Promise<string> {
    const body = new URLSearchParams({ log: 'editor', pwd: 'a quiet stone', testcookie: '1' })
    const headers = { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' }
    const answer = await fetch(`${site.url}/wp-login.php`, { method: 'POST', body, headers, redirect: 'manual' })
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  }

  before(async () => {
    footfall = await startFootfall(ending)
    site = await startWordPress(ending, STUB)
    const { json } = await footfall.call('POST', `/manage/properties/${footfall.property.id}/proxy-key`, { body: {} })
    const { url, token, property } = footfall
    await set({ url: `${url}/`, key: property.key, token, proxy_key: json.data.proxy_key, vitals: '1' })
  })

  after(async () => {
    for (const close of closers.toReversed()) await close()
  })

  test('visitors get the script, and those who write the pages do not', async () => {
    const html = await (await open()).text()
    const tag = `<script defer src="${footfall.url}/signals.js" data-key="${footfall.property.key}" data-vitals></script>`
    assert.ok(html.includes(tag), html.slice(0, 2000))
    assert.match(await (await open('/?p=999')).text(), /data-vitals data-status="404"/)
    const cookie = await signIn()
    assert.match(cookie, /wordpress_logged_in/)
    assert.ok(!(await (await open('/', { cookie })).text()).includes('signals.js'))
  })

  test('the settings show no secret again, and one that is left empty stays', async () => {
    const cookie = await signIn()
    const html = await (await open('/wp-admin/options-general.php?page=footfall', { cookie })).text()
    assert.match(html, /footfall_proxy_key/)
    assert.ok(!html.includes(footfall.token))
    const clean = await site.php(
      `echo json_encode( Footfall_Settings::clean( array( 'url' => 'javascript:alert(1)', 'key' => '<b>x', 'token' => '' ) ) );`,
    )
    const { url, key, token } = JSON.parse(clean) as Record<string, string>
    assert.deepEqual([url, key, token], ['', 'x', footfall.token])
  })

  test('an order is revenue of the visit in which it was placed, once, in the units of its currency', async () => {
    await footfall.track.load({ address: '127.0.0.1', agent: CHROME, language: visitor['accept-language'] })
    await order(17, '49.90', 'EUR')
    await order(18, '5000', 'JPY')
    for (const id of [17, 18]) assert.equal(await (await open(`/?order=${id}`)).text(), 'ordered')
    for (const id of [17, 18]) await pay(id)
    const rows = await footfall.context.facts.query<{ amount: string; currency: string; order_id: string }>(
      'test.orders',
      "SELECT toString(amount) AS amount, currency, order_id FROM events FINAL WHERE property = {id:String} AND kind = 'acquisition' AND amount IS NOT NULL ORDER BY order_id",
      { id: footfall.property.id },
    )
    assert.deepEqual(
      rows.map((row) => [row.order_id, row.amount, row.currency]),
      [
        ['17', '4990', 'EUR'],
        ['18', '5000', 'JPY'],
      ],
    )
  })

  test('whoever writes becomes a contact and a lead of the visit; what was written stays where it is', async () => {
    assert.equal(await (await open('/?write=1')).text(), 'written')
    const { json } = await footfall.call('GET', '/v2/property/contacts')
    const [contact, ...more] = json.data.data
    assert.deepEqual(more, [])
    assert.deepEqual(
      [contact.email, contact.first_name, contact.last_name, contact.lifecycle_stage],
      ['ada@example.com', 'Ada', 'Lovelace', 'lead'],
    )
    const sessions = await footfall.call('GET', `/v2/property/contacts/${contact.id}/sessions`)
    assert.equal(sessions.json.data.sessions.length, 1)
    assert.ok(!JSON.stringify(json).includes('A secret'))
  })

  test('while the service is away pages, checkouts and forms go on', async () => {
    await set({ url: 'http://127.0.0.1:9' })
    await order(19, '1.00', 'EUR')
    assert.equal((await open()).status, 200)
    assert.equal(await (await open('/?order=19')).text(), 'ordered')
    assert.equal(await (await open('/?write=1')).text(), 'written')
    await pay(19)
  })
})
