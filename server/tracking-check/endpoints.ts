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
    { summary: 'Check what tracking received recently, and how to fix what is missing', answer: trackingFields },
    async ({ context, property, request }) => readTracking(context, property, clientAddress(request)),
  ),
])
