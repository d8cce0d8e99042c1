// The segments of a property (/manage/properties/:property/segments). Viewers have their own; those for
// everybody are the admins'.
import { role } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { saverOf } from '../http/savers.ts'
import { deleted, deletedFields } from '../http/shapes.ts'
import * as schema from './schema.ts'
import { createSegment, listSegments, removeSegment, segmentJson, updateSegment } from './segments.ts'

const saving = role('viewer')

export const segmentEndpoints = chapter('Dashboard', [
  get(
    '/manage/properties/:property/segments',
    saving,
    { summary: 'List the segments of a property, and your own', answer: schema.listFields, says: 'Newest first.' },
    async ({ context, property, caller, role }) => ({
      segments: await listSegments(context, saverOf({ property, caller, role })),
    }),
  ),
  post(
    '/manage/properties/:property/segments',
    saving,
    { summary: 'Save filters as a segment', body: schema.NewSegment, answer: schema.segmentFields },
    async ({ context, property, caller, role, body }) => ({
      segment: segmentJson(await createSegment(context, saverOf({ property, caller, role }), body)),
    }),
  ),
  post(
    '/manage/properties/:property/segments/:segment',
    saving,
    { summary: 'Update a segment', body: schema.ChangedSegment, answer: schema.segmentFields },
    async ({ context, property, caller, role, params, body }) => ({
      segment: segmentJson(await updateSegment(context, saverOf({ property, caller, role }), params.segment, body)),
    }),
  ),
  remove(
    '/manage/properties/:property/segments/:segment',
    saving,
    { summary: 'Delete a segment that no share link shows', answer: deletedFields },
    async ({ context, property, caller, role, params }) => {
      await removeSegment(context, saverOf({ property, caller, role }), params.segment)
      return deleted
    },
  ),
])
