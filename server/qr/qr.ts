// QR codes as other folders know them: how those of a property look.
import type { Deps } from '../kernel/deps.ts'
import { encodeLogo } from './logo.ts'
import { readPropertyLook } from './looks.ts'
import type { LookBodyJson } from './schema.ts'

/** As it is set: to be sent elsewhere as it is. The plain look where nothing was set. */
export async function readLookBody(deps: Pick<Deps, 'records'>, propertyId: string): Promise<LookBodyJson> {
  const { look, logo } = await readPropertyLook(deps, propertyId)
  const { hasLogo: has_logo, ...rest } = look
  return { ...rest, has_logo, logo: logo ? encodeLogo(logo).toString('base64') : null }
}
