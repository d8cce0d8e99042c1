// What came of contacts: their value, orders and first source, asked for beside the contacts themselves.
import { useQuery } from '@tanstack/react-query'
import { readWorth, type Worth } from '../../api/contacts.ts'
import { money, number } from '../../format.ts'
import { Skeleton } from '../../parts/states.tsx'
import { channelName, sourceName } from '../../service-words.ts'
import { useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'

type Worths = Readonly<Record<string, Worth>>

const none: Worths = {}

/** Undefined while it is on its way; of nobody when it cannot be read: the contacts themselves are there. */
export function useWorth(ids: readonly string[]): Worths | undefined {
  const property = useProperty()
  const query = useQuery({
    queryKey: ['contact-worth', property.id, ids],
    queryFn: ({ signal }) => readWorth(property.id, ids, signal),
    enabled: ids.length > 0,
  })
  return query.isError ? none : query.data?.worth
}

const sourceWords = ({ first }: Worth): string => {
  if (first === null) return text.worth.unknown
  return first.source === null ? channelName(first.channel, first.channel_name) : sourceName(first.source)
}

const valueOf = (worth: Worth | undefined): string =>
  worth === undefined || worth.value_cents === 0 ? text.worth.unknown : money(worth.value_cents, worth.currency)

export function ValueCell({ worths, id }: { worths: Worths | undefined; id: string }) {
  if (worths === undefined) return <Skeleton width="3rem" />
  return valueOf(worths[id])
}

/** Rows for the details of one contact. */
export function worthRows(worth: Worth | undefined): readonly (readonly [string, string])[] {
  if (!worth) return []
  return [
    [text.worth.value, valueOf(worth)],
    [text.worth.orders, number(worth.orders)],
    [text.worth.first, sourceWords(worth)],
  ]
}
