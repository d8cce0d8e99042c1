// What other folders know of webhooks: the guarded client, the URLs it may call, and signatures.
export { openWebhookClient, type WebhookClient } from './client.ts'
export type { Reach } from './guard.ts'
export { testGuard } from './self-test.ts'
export { NOT_BEGUN } from './reasons.ts'
export { signatureOf } from './signature.ts'
export { checkUrl } from './url.ts'
