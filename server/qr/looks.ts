// How the QR codes of a property look where nobody asks for anything else, and the logo that they may have.
import type { Deps } from '../kernel/deps.ts'
import { invalid, propertyNotFound } from '../kernel/problem.ts'
import { orNotFound } from '../stores/gone.ts'
import { decodeLogo, encodeLogo, type Logo, readLogo } from './logo.ts'
import { plainLook, type QrLook } from './look.ts'
import { findLookRow, saveLookRow } from './records.ts'

type LookDeps = Pick<Deps, 'records'>

export interface PropertyLook {
  readonly look: QrLook
  /** Undefined where the property has none. */
  readonly logo: Logo | undefined
}

const stored = (logo: string | null): Logo | undefined =>
  logo === null ? undefined : decodeLogo(Buffer.from(logo, 'base64'))

export async function readPropertyLook({ records }: LookDeps, propertyId: string): Promise<PropertyLook> {
  const row = await findLookRow(records, propertyId)
  if (!row) return { look: plainLook, logo: undefined }
  return { look: { ...plainLook, ...(JSON.parse(row.look) as Partial<QrLook>) }, logo: stored(row.logo) }
}

export interface LookChange {
  /** What is left out stays. */
  readonly look: Partial<QrLook>
  /** A PNG in base64; null: none. Left out: as it is. */
  readonly logo?: string | null | undefined
}

/** @throws Problem: validation_failed for a logo that is none, and a look with one that is not there. */
export async function changePropertyLook(
  deps: LookDeps,
  propertyId: string,
  change: LookChange,
): Promise<PropertyLook> {
  const before = await readPropertyLook(deps, propertyId)
  const logo = change.logo === undefined ? before.logo : change.logo === null ? undefined : readLogo(change.logo)
  const look = { ...before.look, ...change.look }
  if (look.hasLogo && !logo && change.look.hasLogo) throw invalid('has_logo', 'The property has no logo yet.')
  const kept = { ...look, hasLogo: look.hasLogo && logo !== undefined }
  const row = { look: JSON.stringify(kept), logo: logo ? encodeLogo(logo).toString('base64') : null }
  await orNotFound(saveLookRow(deps.records, propertyId, row), propertyNotFound)
  return { look: kept, logo }
}
