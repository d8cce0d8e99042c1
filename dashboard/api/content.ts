// Content blocks, their versions, what each brought, and their history.
import type { Cta, Goal, GoalType } from '../../server/content/content.ts'
import type { VersionResult } from '../../server/content/results.ts'
import { get, type Page, post, remove } from '../api.ts'
import type { Edit } from './edits.ts'

export type { Cta, Goal, GoalType, VersionResult }
export const goalTypes = ['click', 'event', 'form', 'conversion'] as const satisfies readonly GoalType[]

export interface VersionSketch {
  readonly id: string
  readonly label: string
  readonly weight: number
  readonly is_active: boolean
}

export interface Version extends VersionSketch {
  readonly html: string
  readonly ctas: readonly Cta[]
  readonly created_ts: number
  readonly updated_ts: number
}

export interface ListedBlock {
  readonly id: string
  /** Public. */
  readonly key: string
  readonly name: string
  readonly goal: Goal
  readonly is_archived: boolean
  readonly phase: number
  readonly created_ts: number
  readonly updated_ts: number
  readonly versions: readonly VersionSketch[]
}

export interface Block extends Omit<ListedBlock, 'versions'> {
  readonly versions: readonly Version[]
}

export interface Results {
  readonly phase: {
    readonly number: number
    readonly started_ts: number
    readonly ended_ts: number | null
    readonly is_current: boolean
  }
  readonly goal: Goal
  readonly versions: readonly VersionResult[]
  readonly sample_ratio: {
    readonly expected: readonly {
      readonly version_id: string
      readonly share: number
      readonly observed: number | null
    }[]
    readonly p_value: number | null
    readonly is_suspicious: boolean
  }
  readonly has_enough_data: boolean
  readonly reason: string | null
  readonly winner: string | null
  readonly bots: { readonly views: number; readonly clicks: number }
}

export interface Phase {
  readonly number: number
  readonly started_ms: number
  /** null: it counts now. */
  readonly ended_ms: number | null
  readonly setup: readonly { readonly version_id: string; readonly label: string; readonly weight: number }[]
}

export interface BlockEdit extends Edit {
  /** null: of the block itself. */
  readonly version_id: string | null
}

export interface BlockChange {
  readonly name?: string
  readonly goal?: Goal
  readonly is_archived?: boolean
  /** By version id; all of them together open one phase. */
  readonly weights?: Readonly<Record<string, number>>
}

export interface VersionChange {
  readonly label?: string
  readonly html?: string
  readonly ctas?: readonly Cta[]
  readonly weight?: number
  readonly is_active?: boolean
}

/** What the policy of the property took out of the HTML. */
interface Removed {
  readonly removed: readonly string[]
}

const pathOf = (property: string, rest = ''): string =>
  `/manage/properties/${encodeURIComponent(property)}/content${rest}`
const blockPath = (property: string, block: string, rest = ''): string =>
  pathOf(property, `/${encodeURIComponent(block)}${rest}`)
const versionPath = (property: string, block: string, version: string): string =>
  blockPath(property, block, `/versions/${encodeURIComponent(version)}`)

export interface BlocksAsk {
  readonly search: string
  readonly page: number
  readonly per_page: number
}

export const listBlocks = (property: string, ask: BlocksAsk, signal?: AbortSignal) =>
  get<Page<ListedBlock>>(pathOf(property), { query: { ...ask }, signal })
export const readBlock = (property: string, block: string, signal?: AbortSignal) =>
  get<{ content: Block }>(blockPath(property, block), { signal })
export const createBlock = (property: string, asked: BlockChange & { name: string; key?: string }) =>
  post<{ content: Block }>(pathOf(property), asked)
export const changeBlock = (property: string, block: string, asked: BlockChange) =>
  post<{ content: Block }>(blockPath(property, block), asked)
export const deleteBlock = (property: string, block: string) => remove(blockPath(property, block))

export const createVersion = (property: string, block: string, asked: VersionChange) =>
  post<{ version: Version } & Removed>(blockPath(property, block, '/versions'), asked)
export const changeVersion = (property: string, block: string, version: string, asked: VersionChange) =>
  post<{ version: Version } & Removed>(versionPath(property, block, version), asked)
export const deleteVersion = (property: string, block: string, version: string) =>
  remove(versionPath(property, block, version))

/** What would be stored of HTML. */
export const previewHtml = (property: string, html: string, signal?: AbortSignal) =>
  post<{ html: string } & Removed>(pathOf(property, '/preview'), { html }, { signal })
export const readPolicy = (property: string, signal?: AbortSignal) =>
  get<{ content_policy: 'standard' | 'wide' }>(pathOf(property, '/policy'), { signal })

export const readResults = (property: string, block: string, phase: number | null, signal?: AbortSignal) =>
  get<{ results: Results }>(blockPath(property, block, '/results'), { query: { phase }, signal })
export const listPhases = (property: string, block: string, page: number, perPage: number, signal?: AbortSignal) =>
  get<Page<Phase>>(blockPath(property, block, '/phases'), { query: { page, per_page: perPage }, signal })
export const listEdits = (property: string, block: string, page: number, perPage: number, signal?: AbortSignal) =>
  get<Page<BlockEdit>>(blockPath(property, block, '/edits'), { query: { page, per_page: perPage }, signal })
export const undoEdit = (property: string, block: string, edit: string) =>
  post<{ content: Block } & Removed>(blockPath(property, block, `/edits/${encodeURIComponent(edit)}/undo`))
