// All endpoints, noun by noun: what the server registers, and what `footfall routes` prints.
import { accountEndpoints } from './accounts/endpoints.ts'
import { analyticsEndpoints } from './analytics/endpoints.ts'
import { conversionEndpoints } from './automations/conversion-endpoints.ts'
import { automationEndpoints } from './automations/endpoints.ts'
import { dashboardEndpoints } from './dashboard/endpoints.ts'
import { sampleEndpoints } from './demo/endpoints.ts'
import { diagnosticsEndpoints } from './diagnostics/endpoints.ts'
import { exportEndpoints } from './exports/endpoints.ts'
import { contactEndpoints } from './contacts/endpoints.ts'
import { contentEndpoints } from './content/endpoints.ts'
import { formEndpoints } from './forms/endpoints.ts'
import type { Endpoint } from './http/endpoint.ts'
import { clickEndpoints } from './links/click-endpoints.ts'
import { linkEndpoints } from './links/endpoints.ts'
import { propertyEndpoints } from './properties/endpoints.ts'
import { sessionEndpoints } from './sessions/endpoints.ts'
import { markEndpoints } from './sessions/marks-endpoints.ts'

export const endpoints: readonly Endpoint[] = [
  accountEndpoints,
  propertyEndpoints,
  contactEndpoints,
  linkEndpoints,
  clickEndpoints,
  conversionEndpoints,
  automationEndpoints,
  analyticsEndpoints,
  dashboardEndpoints,
  diagnosticsEndpoints,
  exportEndpoints,
  sampleEndpoints,
  sessionEndpoints,
  markEndpoints,
  formEndpoints,
  contentEndpoints,
].flat()
