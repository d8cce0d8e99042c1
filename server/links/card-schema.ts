// What the endpoints of a link's preview card take and answer.
import { type Static, type TObject, Type } from 'typebox'
import { type JsonOf, MaybeText, open, orNull } from '../http/shapes.ts'
import { MAX_DESTINATION } from './link-model.ts'
import { MAX_CARD_DESCRIPTION, MAX_CARD_TITLE } from './rules-model.ts'

/** Twice as much as is kept: blanks at the ends, and several in a row, are taken out. */
const text = (most: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: most * 2, description }))

const CardBody = Type.Object({
  title: Type.String({ maxLength: MAX_CARD_TITLE * 2, description: `In one line, ${MAX_CARD_TITLE} characters.` }),
  description: text(MAX_CARD_DESCRIPTION, `In one line, ${MAX_CARD_DESCRIPTION} characters; null or empty: none.`),
  image_url: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: MAX_DESTINATION,
      description: 'By the rules of destination_url; null or empty: none.',
    }),
  ),
})
export type CardInput = Static<typeof CardBody>

export const NewCard = Type.Object({ card: orNull(CardBody) })

const CardShape = Type.Object({ title: Type.String(), description: MaybeText, image_url: MaybeText }, open)
export const cardFields = { card: orNull(CardShape) }
export type CardJson = NonNullable<JsonOf<TObject<typeof cardFields>>['card']>
