// The check of a property's tracking.
import { role } from '../http/access.ts'
import { clientAddress } from '../http/client.ts'
import { chapter, get } from '../http/endpoint.ts'
import { trackingFields } from './schema.ts'
import { readTracking } from './tracking.ts'

export const trackingEndpoints = chapter('Dashboard', [
  get(
    '/manage/properties/:property/tracking',
    role('viewer'),
    { summary: 'What arrived lately, and what to do about what did not', answer: trackingFields },
    async ({ context, property, request }) => readTracking(context, property, clientAddress(request)),
  ),
])
