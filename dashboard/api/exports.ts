// Files with what a property holds: made in the background, looked at, fetched.
import { get, post, remove } from '../api.ts'
import { apiPath } from '../place.ts'
import type { ExportKind, ExportTable } from '../../server/exports/export.ts'

export type { ExportKind, ExportTable }

export interface Export {
  readonly id: string
  readonly kind: ExportKind
  readonly table: ExportTable | null
  readonly form_id: string | null
  /** Null: everything there is. */
  readonly window: { readonly date_from: string; readonly date_to: string } | null
  readonly state: 'running' | 'done' | 'failed'
  /** 0 to 1. */
  readonly progress: number
  readonly bytes: number
  readonly file_name: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly created_ts: number
  readonly finished_ts: number | null
  readonly expires_ts: number
}

export interface ExportAsk {
  readonly kind: ExportKind
  readonly table?: ExportTable
  readonly form?: string
  readonly window?: { readonly period: string; readonly date_from?: string; readonly date_to?: string }
}

const pathOf = (property: string, rest = '') => `/manage/properties/${encodeURIComponent(property)}/exports${rest}`

export const listExports = (property: string, signal?: AbortSignal): Promise<{ data: readonly Export[] }> =>
  get(pathOf(property), { signal })
export const createExport = (property: string, asked: ExportAsk): Promise<{ export: Export }> =>
  post(pathOf(property), asked)
export const removeExport = (property: string, id: string): Promise<unknown> =>
  remove(pathOf(property, `/${encodeURIComponent(id)}`))
/** For a link: the browser writes a file of any size straight to the disk, and brings the cookie. */
export const exportFileUrl = (property: string, id: string): string =>
  apiPath + pathOf(property, `/${encodeURIComponent(id)}/file`)
