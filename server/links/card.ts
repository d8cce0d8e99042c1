// What chats and social networks show of a link in place of what its destination says of itself. Kept with
// the rules of the link, which are asked for in the same moment.
import type { Deps } from '../kernel/deps.ts'
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import type { CardInput } from './card-schema.ts'
import { destinationAt, type ShortUrls } from './destination.ts'
import { isLinkId, linkNotFound, shortUrls } from './draft.ts'
import { changeLinks, type LinkDeps } from './groups.ts'
import { findLink, updateLinkRules } from './records.ts'
import { isNoRules, MAX_CARD_DESCRIPTION, MAX_CARD_TITLE, parseRules, type PreviewCard } from './rules-model.ts'
import { getStored } from './rules.ts'

/** @throws Problem('not_found') */
export async function getCard(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  id: string,
): Promise<PreviewCard | null> {
  return parseRules((await getStored(records, propertyId, id)).rules).card ?? null
}

/** One line, as it is shown; null for a blank one. */
function readText(field: string, written: string | null | undefined, most: number): string | null {
  const text = cleanText((written ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(), most + 1)
  if ([...text].length > most) throw invalid(field, `${field} may have at most ${most} characters.`)
  return text === '' ? null : text
}

/**
 * @param prefix of the names of its fields, where it is a part of something.
 * @throws Problem('validation_failed')
 */
export function readCard({ title, description, image_url }: CardInput, short: ShortUrls, prefix = ''): PreviewCard {
  const said = readText(`${prefix}title`, title, MAX_CARD_TITLE)
  if (said === null) throw invalid(`${prefix}title`, `${prefix}title is required.`)
  return {
    title: said,
    description: readText(`${prefix}description`, description, MAX_CARD_DESCRIPTION),
    image_url: image_url ? destinationAt(`${prefix}image_url`, image_url, short) : null,
  }
}

/** @param input null: none. @throws Problem: not_found; validation_failed */
export async function setCard(
  deps: LinkDeps,
  propertyId: string,
  id: string,
  input: CardInput | null,
): Promise<PreviewCard | null> {
  if (!isLinkId(id)) throw linkNotFound()
  const card = input && readCard(input, await shortUrls(deps))
  return changeLinks(deps, async (tx, changeNo) => {
    if (!(await findLink(tx, propertyId, id))) throw linkNotFound()
    const { card: _before, ...rest } = parseRules((await getStored(tx, propertyId, id)).rules)
    const rules = card ? { ...rest, card } : rest
    const row = { rules: isNoRules(rules) ? null : JSON.stringify(rules) }
    await updateLinkRules(tx, propertyId, { id, changeNo, row })
    return card
  })
}
