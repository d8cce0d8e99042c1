// Content blocks, their versions, what each brought, and their history.
import type { Goal, GoalType } from '../../server/content/content-model.ts'
import type { ResultsJson as Results, VersionResultJson as VersionResult } from '../../server/content-results/schema.ts'
import type {
  BlockJson as Block,
  ChangedBlockJson as BlockChange,
  ChangedVersionJson as VersionChange,
  EditJson as BlockEdit,
  ListedBlockJson as ListedBlock,
  NewBlockJson,
  PhaseJson as Phase,
  PolicyJson as Policy,
  VersionJson as Version,
} from '../../server/content/schema.ts'
import { get, type OrderAsk, type Page, post, remove, type PageQuery } from '../api.ts'

export type { Block, BlockChange, BlockEdit, Goal, GoalType, ListedBlock, Phase, Results, Version }
export type { VersionChange, VersionResult }
export type VersionSketch = ListedBlock['versions'][number]
export const goalTypes = ['click', 'event', 'form', 'conversion'] as const satisfies readonly GoalType[]

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

export interface BlocksAsk extends OrderAsk {
  readonly search: string
  readonly page: number
  readonly per_page: number
}

export const listBlocks = (property: string, ask: BlocksAsk, signal?: AbortSignal) =>
  get<Page<ListedBlock>>(pathOf(property), { query: { ...ask }, signal })
export const readBlock = (property: string, block: string, signal?: AbortSignal) =>
  get<{ content: Block }>(blockPath(property, block), { signal })
export const createBlock = (property: string, asked: NewBlockJson) => post<{ content: Block }>(pathOf(property), asked)
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
  get<Policy>(pathOf(property, '/policy'), { signal })

export const readResults = (property: string, block: string, phase: number | null, signal?: AbortSignal) =>
  get<{ results: Results }>(blockPath(property, block, '/results'), { query: { phase }, signal })
export const listPhases = (property: string, block: string, ask: PageQuery, signal?: AbortSignal) =>
  get<Page<Phase>>(blockPath(property, block, '/phases'), { query: { ...ask }, signal })
export const listEdits = (property: string, block: string, ask: PageQuery, signal?: AbortSignal) =>
  get<Page<BlockEdit>>(blockPath(property, block, '/edits'), { query: { ...ask }, signal })
export const undoEdit = (property: string, block: string, edit: string) =>
  post<{ content: Block } & Removed>(blockPath(property, block, `/edits/${encodeURIComponent(edit)}/undo`))
