// The self-test passes for the client that is shipped, and finds each way in which a guard can be missing.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openWebhookClient, type WebhookClient, type WebhookClientOptions } from './client.ts'
import { testGuard } from './self-test.ts'

/** A client that is not guarded for the hosts: the guard is told that these addresses are fine. */
const lettingThrough =
  (allow: readonly string[]) =>
  (options: WebhookClientOptions): WebhookClient =>
    openWebhookClient({ ...options, allow })

/** A client that connects by itself; nothing stands between it and the network. */
function unguarded(): WebhookClient {
  return {
    post: async (url) => {
      const { hostname, port } = new URL(url)
      const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
      await new Promise((resolve) => socket.once('close', resolve).on('error', () => {}))
      return { status: null, error: 'refused address', headers: {}, body: '', durationMs: 0 }
    },
    close: () => {},
  }
}

test('the guard is in the path of the client that sends', async () => {
  assert.equal(await testGuard(), true)
})

test('a client that reaches loopback is found, whatever it says of itself', async () => {
  assert.equal(await testGuard(lettingThrough(['127.0.0.0/8'])), false)
  assert.equal(await testGuard(lettingThrough(['0.0.0.0/0', '::/0'])), false)
  assert.equal(await testGuard(unguarded), false)
})

test('a client that guards only literals, or only names, is found', async () => {
  const onlyLiterals = (options: WebhookClientOptions): WebhookClient =>
    openWebhookClient({
      ...options,
      lookup: async () => ['8.8.8.8'],
      dial: (_addresses, { port }) => connect({ host: '127.0.0.1', port }),
    })
  assert.equal(await testGuard(onlyLiterals), false)
  const onlyNames = (options: WebhookClientOptions): WebhookClient => {
    const guarded = openWebhookClient(options)
    const open = openWebhookClient({ ...options, allow: ['127.0.0.0/8'] })
    return {
      post: (url, ...rest) => (url.includes('localhost') ? guarded : open).post(url, ...rest),
      close: () => [guarded, open].forEach((client) => client.close()),
    }
  }
  assert.equal(await testGuard(onlyNames), false)
})

test('a test that could not be made counts as failed', async () => {
  const broken = (): WebhookClient => ({ post: () => Promise.reject(new Error('broken')), close: () => {} })
  assert.equal(await testGuard(broken), false)
  const mute = (): WebhookClient => ({
    post: async () => ({ status: null, error: 'timeout', headers: {}, body: '', durationMs: 0 }),
    close: () => {},
  })
  assert.equal(await testGuard(mute), false)
})
