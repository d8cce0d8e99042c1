// The endpoints that change many links at once, and the history of that.
import { role } from '../http/access.ts'
import { editingDeps, withEditors } from '../http/editors.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { pageFields } from '../http/shapes.ts'
import { linkedPage } from '../kernel/page.ts'
import { editLinks, listLinkEdits, listTags, undoLinkEdit } from './edits.ts'
import { EditBody, editedFields, LinkEditShape, tagFields } from './edits-schema.ts'
import { GroupsQuery } from './schema.ts'

export const linkEditEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/links/tags',
    role('viewer'),
    { summary: 'List the tags of short links with their counts', answer: tagFields },
    async ({ context, property }) => ({ tags: await listTags(context, property.id) }),
  ),
  post(
    '/manage/properties/:property/links/edit',
    role('admin'),
    {
      summary: 'Edit many short links at once: tags, group, UTM values, expiry, archive',
      body: EditBody,
      answer: editedFields,
    },
    async ({ context, property, caller, body: { link_ids, ...change } }) =>
      editLinks(editingDeps(context, caller), property.id, link_ids, change),
  ),
  get(
    '/manage/properties/:property/link-edits',
    role('viewer'),
    {
      summary: 'List bulk edits of short links, newest first',
      query: GroupsQuery,
      answer: pageFields(LinkEditShape),
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, async (ask) => {
        const { rows, total } = await listLinkEdits(context, property.id, ask)
        return { rows: await withEditors(context, rows), total }
      }),
  ),
  post(
    '/manage/properties/:property/link-edits/:edit/undo',
    role('admin'),
    { summary: 'Undo a bulk edit, for links not changed since', answer: editedFields },
    async ({ context, property, caller, params }) =>
      undoLinkEdit(editingDeps(context, caller), property.id, params.edit),
  ),
])
