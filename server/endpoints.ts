// All endpoints, noun by noun: what the server registers, and what `footfall routes` prints.
import { accountEndpoints } from './accounts/endpoints.ts'
import { analyticsEndpoints } from './analytics/endpoints.ts'
import { conversionEndpoints } from './conversions/endpoints.ts'
import { automationEndpoints } from './automations/endpoints.ts'
import { removalEndpoints } from './removals/endpoints.ts'
import { backupEndpoints } from './backups/endpoints.ts'
import { alertEndpoints } from './alerts/endpoints.ts'
import { annotationEndpoints } from './annotations/endpoints.ts'
import { listEndpoints } from './lists/endpoints.ts'
import { overviewEndpoints } from './overview/endpoints.ts'
import { speedEndpoints } from './vitals/endpoints.ts'
import { storyEndpoints } from './story/endpoints.ts'
import { trackingEndpoints } from './tracking-check/endpoints.ts'
import { deliveryEndpoints } from './deliveries/endpoints.ts'
import { sampleEndpoints } from './demo/endpoints.ts'
import { diagnosticsEndpoints } from './diagnostics/endpoints.ts'
import { exportEndpoints } from './exports/endpoints.ts'
import { contactEndpoints } from './contacts/endpoints.ts'
import { contactListEndpoints } from './contact-lists/endpoints.ts'
import { contactSearchEndpoints } from './contact-searches/endpoints.ts'
import { mergeEndpoints } from './contact-merge/endpoints.ts'
import { contentEndpoints } from './content/endpoints.ts'
import { formMailEndpoints } from './form-mail/endpoints.ts'
import { reportEndpoints } from './reports/endpoints.ts'
import { formEndpoints } from './forms/endpoints.ts'
import { costEndpoints } from './costs/endpoints.ts'
import type { Endpoint } from './http/endpoint.ts'
import { mailEndpoints } from './mail/endpoints.ts'
import { clickEndpoints } from './clicks/endpoints.ts'
import { linkEndpoints } from './links/endpoints.ts'
import { linkResultEndpoints } from './link-results/endpoints.ts'
import { propertyEndpoints } from './properties/endpoints.ts'
import { qrEndpoints } from './qr/endpoints.ts'
import { segmentEndpoints } from './segments/endpoints.ts'
import { siteEndpoints } from './sites/endpoints.ts'
import { sessionEndpoints } from './sessions/endpoints.ts'
import { markEndpoints } from './marks/endpoints.ts'

export const endpoints: readonly Endpoint[] = [
  accountEndpoints,
  propertyEndpoints,
  siteEndpoints,
  qrEndpoints,
  segmentEndpoints,
  removalEndpoints,
  contactEndpoints,
  mergeEndpoints,
  contactListEndpoints,
  contactSearchEndpoints,
  linkEndpoints,
  linkResultEndpoints,
  clickEndpoints,
  conversionEndpoints,
  automationEndpoints,
  deliveryEndpoints,
  mailEndpoints,
  analyticsEndpoints,
  listEndpoints,
  annotationEndpoints,
  costEndpoints,
  overviewEndpoints,
  storyEndpoints,
  speedEndpoints,
  trackingEndpoints,
  diagnosticsEndpoints,
  exportEndpoints,
  backupEndpoints,
  sampleEndpoints,
  sessionEndpoints,
  markEndpoints,
  formEndpoints,
  formMailEndpoints,
  alertEndpoints,
  reportEndpoints,
  contentEndpoints,
].flat()
