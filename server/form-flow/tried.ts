// Who counts as somebody who tried a draft. Never fails what it is part of.
import type { Context } from '../context.ts'
import { type Form, isDraft } from '../forms/form-model.ts'
import { isExcludedAddress, type Property } from '../properties/properties.ts'
import { addressMac, agentMac, type Caller } from './form-sessions.ts'
import { isRegistered } from './origin.ts'
import { readSender } from './sender.ts'

interface Found {
  readonly form: Form
  readonly property: Property
}

type TryDeps = Pick<Context, 'enrich' | 'keys' | 'draftTries'>

/** People on pages of the owner's; not the owner, whose IP address is excluded, and no bots. */
export function noteTry({ enrich, keys, draftTries }: TryDeps, { form, property }: Found, caller: Caller): void {
  if (!isDraft(form)) return
  const visitor = caller.visitorOf(property)
  if (!isRegistered(caller.headers, [...property.domains, ...form.domains])) return
  if (isExcludedAddress(property, visitor.address)) return
  if (readSender(enrich, caller.headers, visitor).bot.is_bot) return
  draftTries.note(form.id, addressMac(keys, property.id, visitor) + agentMac(keys, property.id, visitor))
}

/** A body of the wrong shape says nothing; it is refused where it is read. */
function isSent(readBody: () => { readonly tried?: unknown }): boolean {
  try {
    return Boolean(readBody().tried)
  } catch {
    return false
  }
}

/**
 * A managed form is not drawn while it is a draft, so that whoever comes to it cannot use it; an open one is
 * tried by whoever sends it.
 */
export function noteTryAtInit(
  deps: TryDeps,
  found: Found,
  caller: Caller,
  readBody: () => { readonly tried?: unknown },
): void {
  if (isDraft(found.form) && (found.form.kind === 'managed' || isSent(readBody))) noteTry(deps, found, caller)
}
