// Sample data (/manage/sample): made, looked at, removed. For owners of the installation.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireOwner } from '../http/hooks.ts'
import { answerOf, open } from '../http/shapes.ts'
import { Problem } from '../kernel/problem.ts'
import { fullSize, openSamples } from './sample.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

const SampleShape = Type.Object(
  {
    property_id: Type.String(),
    state: Type.String({ enum: ['running', 'done', 'failed'] }),
    progress: Type.Number({ description: '0 to 1.' }),
  },
  open,
)

const SampleAnswer = answerOf({ sample: SampleShape }, 'The property with the sample data, and how far it is.')
const MaybeSampleAnswer = answerOf(
  { sample: Type.Unsafe<object | null>({ ...SampleShape, type: ['object', 'null'] }) },
  'Null: there is none.',
)
const DeletedAnswer = answerOf({ deleted: Type.Boolean() }, 'Gone.')

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    const samples = openSamples(context, fullSize)
    app.addHook('onClose', () => samples.close())
    app.addHook('onRequest', requireOwner(context))

    app.get(
      '/manage/sample',
      { schema: { ...common, summary: 'How far the sample data is', response: { 200: MaybeSampleAnswer } } },
      async () => ok({ sample: await samples.find() }),
    )

    app.post(
      '/manage/sample',
      {
        schema: {
          ...common,
          summary: 'Make a property with a year of sample data, or complete it',
          response: { 200: SampleAnswer },
        },
      },
      async () => ok({ sample: await samples.begin() }),
    )

    app.delete(
      '/manage/sample',
      { schema: { ...common, summary: 'Remove the sample data', response: { 200: DeletedAnswer } } },
      async () => {
        if (!(await samples.remove())) throw new Problem('not_found', 'There is no sample data.')
        return ok({ deleted: true })
      },
    )
  }
}
