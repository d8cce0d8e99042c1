// The story of a session.
import { role } from '../http/access.ts'
import { chapter, get } from '../http/endpoint.ts'
import { storyFields } from './schema.ts'
import { readStory } from './story.ts'

export const storyEndpoints = chapter('Dashboard', [
  get(
    '/manage/properties/:property/sessions/:session',
    role('viewer'),
    { summary: 'Get a session and its timeline', answer: storyFields },
    async ({ context, property, params }) => readStory(context, property.id, params.session),
  ),
])
