// Run at every start, on the very client that will send: if this machine's own loopback can be reached
// through it, the guard is not in the path (a library changed under it, a build left it out), and webhooks
// must not run.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { openWebhookClient, type WebhookClient, type WebhookClientOptions } from './client.ts'

/** By address and by name: the two take different ways through a connector. */
const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433']
/** A name that this machine does not know leads nowhere, which is as good. */
const refusals = new Set(['refused address', 'name not found'])
const SELF_TEST_MS = 5000

async function isRefused(client: WebhookClient, host: string, port: number): Promise<boolean> {
  const outcome = await client.post(`https://${host}:${port}/`, '{}', {})
  return refusals.has(outcome.error ?? '')
}

async function areRefused(server: Server, client: WebhookClient): Promise<boolean> {
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const refused = await Promise.all(hosts.map((host) => isRefused(client, host, port)))
  return connections === 0 && refused.every(Boolean)
}

/**
 * Whether the guard stands between the client and this machine. False as well when the test itself could not
 * be made.
 * @param open makes the client as production does; it is asked for one without an allow list
 */
export async function testGuard(
  open: (options: WebhookClientOptions) => WebhookClient = openWebhookClient,
): Promise<boolean> {
  const client = open({ allow: [], deadlineMs: SELF_TEST_MS })
  const server = createServer()
  try {
    return await areRefused(server, client)
  } catch {
    return false
  } finally {
    client.close()
    server.close()
  }
}
