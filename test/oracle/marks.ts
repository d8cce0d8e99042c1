// Sessions that the owner marks as invalid, and as valid again.
import type { Send } from './client.ts'
import type { Owner } from './forms.ts'

/** Side by side. */
export async function markAll(send: Send, owner: Owner, sessions: readonly string[], isInvalid: boolean) {
  const headers = { authorization: `Bearer ${owner.admin}` }
  await Promise.all(
    sessions.map(async (id) => {
      const path = `/manage/properties/${owner.propertyId}/sessions/${id}/mark`
      const { status, body } = await send('POST', path, headers, { is_invalid: isInvalid })
      if (status !== 200) throw new Error(`not marked: ${JSON.stringify(body)}`)
    }),
  )
}
