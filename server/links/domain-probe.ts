// What the world says of a host: its text records, and whether a request to it ends here. Goes through the
// guard of webhooks, so that nobody makes the service call inside its network.
import { Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'
import { openWebhookClient } from '../webhooks/webhooks.ts'
import type { DomainFault } from './domain-model.ts'

const TRY_MS = 2_000
const TRIES = 2
const CALL_MS = 10_000

export interface DomainProbe {
  /** Texts of the name; none where there are none. @throws where no name server answers. */
  txt(name: string): Promise<readonly string[]>
  /** The body of the answer to a POST, or why there is none. */
  ask(url: string): Promise<{ readonly body: string } | { readonly fault: DomainFault }>
}

const unknownName = new Set(['ENOTFOUND', 'ENODATA'])

export function openDomainProbe({ webhookAllow }: Pick<Config, 'webhookAllow'>): DomainProbe {
  return {
    async txt(name) {
      const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
      } catch (error) {
        if (unknownName.has((error as NodeJS.ErrnoException).code ?? '')) return []
        throw error
      }
    },
    async ask(url) {
      const client = openWebhookClient({ allow: webhookAllow, deadlineMs: CALL_MS })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { status, error, body } = await client.post(url, '', headers).finally(() => client.close())
      if (error === 'refused address') return { fault: 'refused_address' }
      return status === null ? { fault: 'not_reached' } : { body }
    },
  }
}
