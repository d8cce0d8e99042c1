// The endpoints of alerts (/manage/properties/:property/alerts).
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { changeAlerts, readAlerts } from './alerts.ts'
import { AlertsBody, alertsFields } from './schema.ts'

export const alertEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/alerts',
    role('admin'),
    { summary: 'Get what a property is watched for, and who is told', answer: alertsFields },
    async ({ context, property }) => readAlerts(context, property),
  ),
  post(
    '/manage/properties/:property/alerts',
    role('admin'),
    {
      summary: 'Update the alerts of a property',
      body: AlertsBody,
      answer: alertsFields,
      says: 'What is left out stays.',
    },
    async ({ context, property, body }) => changeAlerts(context, property, body),
  ),
])
