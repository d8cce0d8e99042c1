// All endpoints, noun by noun: what the server registers, and what `footfall routes` prints.
import type { Endpoint } from './http/endpoint.ts'
import { clickEndpoints } from './links/click-endpoints.ts'
import { linkEndpoints } from './links/endpoints.ts'
import { propertyEndpoints } from './properties/endpoints.ts'

export const endpoints: readonly Endpoint[] = [propertyEndpoints, linkEndpoints, clickEndpoints].flat()
