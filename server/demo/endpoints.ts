// The endpoints of the sample data (/manage/sample): created, read, removed. For owners of the installation.
import { owner } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, orNull } from '../http/shapes.ts'
import { Problem } from '../kernel/problem.ts'
import { SampleShape } from './schema.ts'

export const sampleEndpoints = chapter('Management', [
  get(
    '/manage/sample',
    owner,
    {
      summary: 'Get the progress of the sample data',
      answer: { sample: orNull(SampleShape) },
      says: 'Null: there is none.',
    },
    async ({ context }) => ({ sample: await context.samples.find() }),
  ),
  post(
    '/manage/sample',
    owner,
    {
      summary: 'Create a property with a year of sample data, or complete it',
      answer: { sample: SampleShape },
      says: 'The property with the sample data, and how far it is.',
    },
    async ({ context }) => ({ sample: await context.samples.begin() }),
  ),
  remove(
    '/manage/sample',
    owner,
    { summary: 'Delete the sample data', answer: deletedFields, says: 'Gone.' },
    async ({ context }) => {
      if (!(await context.samples.remove())) throw new Problem('not_found', 'There is no sample data.')
      return deleted
    },
  ),
])
