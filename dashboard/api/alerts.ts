// Alerts by email.
import type { AlertsChange, AlertsJson as Alerts } from '../../server/alerts/schema.ts'
import { get, post } from '../api.ts'

export type { Alerts }

const pathOf = (property: string): string => `/manage/properties/${encodeURIComponent(property)}/alerts`

export const readAlerts = (property: string, signal?: AbortSignal) => get<Alerts>(pathOf(property), { signal })
export const changeAlerts = (property: string, asked: AlertsChange) => post<Alerts>(pathOf(property), asked)
