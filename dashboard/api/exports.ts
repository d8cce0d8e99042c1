// Files with what a property holds: made in the background, looked at, fetched.
import { get, post, remove } from '../api.ts'
import { apiPath } from '../place.ts'
import type { ExportKind, ExportTable } from '../../server/exports/export.ts'
import type { ExportAskJson as ExportAsk, ExportJson as Export } from '../../server/exports/schema.ts'

export type { Export, ExportAsk, ExportKind, ExportTable }

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
