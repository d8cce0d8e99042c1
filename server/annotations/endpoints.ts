// The annotations of a property, as the dashboard pins them to its graphs.
import { role } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { linkedPage } from '../kernel/page.ts'
import { createAnnotation, listAnnotations, removeAnnotation, updateAnnotation } from './annotations.ts'
import * as schema from './schema.ts'

const writing = role('admin')

export const annotationEndpoints = chapter('Dashboard', [
  get(
    '/manage/properties/:property/annotations',
    role('viewer'),
    {
      summary: 'List the annotations of a property, latest first',
      query: schema.PageQuery,
      answer: pageFields(schema.AnnotationShape),
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) => listAnnotations(context, property.id, ask)),
  ),
  post(
    '/manage/properties/:property/annotations',
    writing,
    {
      summary: 'Add an annotation to a point in time',
      body: schema.NewAnnotation,
      answer: { annotation: schema.AnnotationShape },
    },
    async ({ context, property, body }) => ({ annotation: await createAnnotation(context, property.id, body) }),
  ),
  post(
    '/manage/properties/:property/annotations/:annotation',
    writing,
    { summary: 'Update an annotation', body: schema.ChangedAnnotation, answer: { annotation: schema.AnnotationShape } },
    async ({ context, property, params, body }) => ({
      annotation: await updateAnnotation(context, property.id, params.annotation, body),
    }),
  ),
  remove(
    '/manage/properties/:property/annotations/:annotation',
    writing,
    { summary: 'Delete an annotation', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeAnnotation(context, property.id, params.annotation)
      return deleted
    },
  ),
])
