// Removes what belongs to a property: each noun removes its own, in an order in which nothing refers to what
// is gone. May be called again after a failure.
import { removeAutomations } from './automations/removal-records.ts'
import { removeContacts } from './contacts/removal-records.ts'
import type { ContentDirectory } from './content/directory.ts'
import { removeContent } from './content/remove.ts'
import type { Forgetting } from './deliveries/forget.ts'
import type { Exports } from './exports/exports.ts'
import { removeForms } from './forms/remove.ts'
import type { Deps } from './kernel/deps.ts'
import { removeLinks } from './links/remove.ts'
import { removeAllFacts } from './removals/removals.ts'
import type { UploadStorage } from './uploads/uploads.ts'

interface EmptyDeps extends Deps, Forgetting {
  readonly exports: Exports
  readonly uploads: UploadStorage
  readonly content: ContentDirectory
}

export async function emptyProperty(deps: EmptyDeps, id: string): Promise<void> {
  await removeAllFacts(deps, id)
  await deps.exports.removeAll(id)
  await removeContacts(deps.records, id)
  await removeLinks(deps.records, id)
  await removeForms(deps, id)
  await removeAutomations(deps.records, id)
  await removeContent(deps, id)
}
