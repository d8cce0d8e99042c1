// The endpoints of a link's preview card.
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { getCard, setCard } from './card.ts'
import { cardFields, NewCard } from './card-schema.ts'

const path = '/manage/properties/:property/links/:link/card'

export const linkCardEndpoints = chapter('Management', [
  get(
    path,
    role('viewer'),
    { summary: 'Get what chats and social networks show of a link', answer: cardFields },
    async ({ context, property, params }) => ({ card: await getCard(context, property.id, params.link) }),
  ),
  post(
    path,
    role('admin'),
    { summary: 'Set what chats and social networks show of a link', body: NewCard, answer: cardFields },
    async ({ context, property, params, body }) => ({
      card: await setCard(context, property.id, params.link, body.card),
    }),
  ),
])
