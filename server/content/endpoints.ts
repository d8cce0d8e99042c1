// The endpoints of content blocks (/manage/properties/:property/content), their versions, results and
// history. A block of another property is not found.
import { role } from '../http/access.ts'
import { editingDeps, withEditors } from '../http/editors.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { sortedPage, type SortValues } from '../kernel/sorting.ts'
import { linkedPage, offsetOf, type PageQuery, readInteger, unlessEmpty } from '../kernel/page.ts'
import { createBlock, getBlock, listBlocks, removeBlock, blockJson, updateBlock } from './blocks.ts'
import { readHtml } from './draft.ts'
import { listEdits, listPhases, undoEdit } from './edits.ts'
import { htmlPolicies } from '../html/content-html.ts'
import { ResultsQuery, ResultsShape } from '../content-results/schema.ts'
import { readResults } from '../content-results/results.ts'
import * as schema from './schema.ts'
import { createVersion, getVersion, removeVersion, updateVersion } from './versions.ts'

/** The number of a phase is stored as a 32-bit integer. */
const MAX_PHASE = 2 ** 31 - 1

/** null: no phase is named. */
function readPhaseNumber(text: string | undefined): number | null {
  const given = unlessEmpty(text)
  return given === undefined ? null : readInteger('phase', given, { min: 1, max: MAX_PHASE, default: 1 })
}

/** A block has few versions, which are answered with it. */
function slice<Row>(rows: readonly Row[], query: PageQuery) {
  const offset = offsetOf(query)
  return { rows: rows.slice(offset, offset + query.perPage), total: rows.length }
}

const blockFields = { content: schema.BlockShape }

const blockValues: SortValues<Pick<schema.ListedBlockJson, 'name' | 'versions' | 'updated_ts'>, schema.BlockSort> = {
  name: ({ name }) => name,
  versions: ({ versions }) => versions.length,
  changed: ({ updated_ts }) => updated_ts,
}

const blocks = [
  get(
    '/manage/properties/:property/content',
    role('viewer'),
    {
      summary: 'List and search the content blocks of a property, newest first',
      query: schema.BlocksQuery,
      answer: pageFields(schema.ListedBlockShape),
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) =>
        sortedPage(ask, query, blockValues, async (page) => {
          const { rows, total } = await listBlocks(context, property.id, page, query.search)
          return { rows: rows.map(blockJson), total }
        }),
      ),
  ),
  post(
    '/manage/properties/:property/content',
    role('admin'),
    { summary: 'Create a content block, without a version at first', body: schema.NewBlock, answer: blockFields },
    async ({ context, property, caller, body }) => ({
      content: blockJson(await createBlock(editingDeps(context, caller), property.id, body)),
    }),
  ),
  get(
    '/manage/properties/:property/content/policy',
    role('viewer'),
    {
      summary: 'Get the policies for HTML in content, and which one is active',
      answer: schema.policyFields,
    },
    async ({ property: { content_policy } }) => ({ content_policy, policies: htmlPolicies }),
  ),
  post(
    '/manage/properties/:property/content/preview',
    role('admin'),
    {
      summary: 'Preview how the active policy would sanitize HTML; nothing is saved',
      body: schema.PreviewBody,
      answer: schema.previewFields,
    },
    async ({ property, body }) => readHtml(property.content_policy, body.html),
  ),
  get(
    '/manage/properties/:property/content/:block',
    role('viewer'),
    { summary: 'Get a content block with its versions', answer: blockFields },
    async ({ context, property, params }) => ({
      content: blockJson(await getBlock(context, property.id, params.block)),
    }),
  ),
  post(
    '/manage/properties/:property/content/:block',
    role('admin'),
    {
      summary: 'Update or archive a content block, or the weights of its versions',
      body: schema.ChangedBlock,
      answer: blockFields,
    },
    async ({ context, property, caller, params, body }) => ({
      content: blockJson(await updateBlock(editingDeps(context, caller), property.id, params.block, body)),
    }),
  ),
  remove(
    '/manage/properties/:property/content/:block',
    role('admin'),
    { summary: 'Permanently delete a content block, its versions and history', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeBlock(context, property.id, params.block)
      return deleted
    },
  ),
  get(
    '/manage/properties/:property/content/:block/results',
    role('viewer'),
    {
      summary: 'Get the results of each version of a content block in a phase',
      query: ResultsQuery,
      answer: { results: ResultsShape },
    },
    async ({ context, property, params, query }) => {
      const block = await getBlock(context, property.id, params.block)
      return { results: await readResults(context, block, readPhaseNumber(query.phase)) }
    },
  ),
]

const versions = [
  get(
    '/manage/properties/:property/content/:block/versions',
    role('viewer'),
    {
      summary: 'List the versions of a content block in order of creation',
      query: schema.PageQuery,
      answer: pageFields(schema.VersionShape),
    },
    async ({ context, property, params, query, address }) =>
      linkedPage(query, address, async (ask) =>
        slice((await getBlock(context, property.id, params.block)).versions, ask),
      ),
  ),
  post(
    '/manage/properties/:property/content/:block/versions',
    role('admin'),
    {
      summary: 'Create a version; an active one opens a new phase',
      body: schema.NewVersion,
      answer: schema.savedVersionFields,
    },
    async ({ context, property, caller, params, body }) =>
      createVersion(editingDeps(context, caller), property, params.block, body),
  ),
  get(
    '/manage/properties/:property/content/:block/versions/:version',
    role('viewer'),
    { summary: 'Get a version', answer: { version: schema.VersionShape } },
    async ({ context, property, params }) => ({
      version: getVersion(await getBlock(context, property.id, params.block), params.version),
    }),
  ),
  post(
    '/manage/properties/:property/content/:block/versions/:version',
    role('admin'),
    {
      summary: 'Update a version; visible changes open a new phase',
      body: schema.ChangedVersion,
      answer: schema.savedVersionFields,
    },
    async ({ context, property, caller, params, body }) => {
      const of = { blockId: params.block, versionId: params.version }
      return updateVersion(editingDeps(context, caller), property, of, body)
    },
  ),
  remove(
    '/manage/properties/:property/content/:block/versions/:version',
    role('admin'),
    { summary: 'Delete a version; its results stay, and undoing the edit restores it', answer: deletedFields },
    async ({ context, property, caller, params }) => {
      const of = { blockId: params.block, versionId: params.version }
      await removeVersion(editingDeps(context, caller), property.id, of)
      return deleted
    },
  ),
]

const history = [
  get(
    '/manage/properties/:property/content/:block/phases',
    role('viewer'),
    {
      summary: 'List the phases of a content block, newest first',
      query: schema.PageQuery,
      answer: pageFields(schema.PhaseShape),
    },
    async ({ context, property, params, query, address }) =>
      linkedPage(query, address, (ask) => listPhases(context, property.id, params.block, ask)),
  ),
  get(
    '/manage/properties/:property/content/:block/edits',
    role('viewer'),
    {
      summary: 'List the edits of a content block, newest first',
      query: schema.PageQuery,
      answer: pageFields(schema.EditShape),
    },
    async ({ context, property, params, query, address }) =>
      linkedPage(query, address, async (ask) => {
        const { rows, total } = await listEdits(context, property.id, params.block, ask)
        return { rows: await withEditors(context, rows), total }
      }),
  ),
  post(
    '/manage/properties/:property/content/:block/edits/:edit/undo',
    role('admin'),
    { summary: 'Undo an edit', answer: schema.undoneFields },
    async ({ context, property, caller, params }) => {
      const deps = editingDeps(context, caller)
      const { block, removed } = await undoEdit(deps, property, params.block, params.edit)
      return { content: blockJson(block), removed }
    },
  ),
]

export const contentEndpoints = chapter('Management', [...blocks, ...versions, ...history])
