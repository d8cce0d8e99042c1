// QR codes of short links, and how those of a property look.
import type { QrLook } from '../../server/qr/look.ts'
import type { LookJson } from '../../server/qr/schema.ts'
import { get, post } from '../api.ts'
import { apiPath } from '../place.ts'

export type { QrLook }
export type QrFormat = 'svg' | 'png' | 'pdf'

const lookPath = (property: string): string => `/manage/properties/${encodeURIComponent(property)}/qr-look`

export interface PropertyLook {
  readonly look: QrLook
  readonly isLogoThere: boolean
}

const shown = ({ is_logo_there: isLogoThere, has_logo: hasLogo, ...look }: LookJson): PropertyLook => ({
  look: { ...look, hasLogo },
  isLogoThere,
})

export const readQrLook = async (property: string, signal?: AbortSignal): Promise<PropertyLook> =>
  shown(await get<LookJson>(lookPath(property), { signal }))

export async function saveQrLook(property: string, { hasLogo: has_logo, ...look }: QrLook): Promise<PropertyLook> {
  return shown(await post<LookJson>(lookPath(property), { ...look, has_logo }))
}

/** @param logo a PNG in base64; null: none. */
export const saveQrLogo = async (property: string, logo: string | null): Promise<PropertyLook> =>
  shown(await post<LookJson>(lookPath(property), { logo }))

/** Of a file, for the browser itself. @param look left out: as the property has it. */
export function qrUrl(property: string, link: string, format: QrFormat, look?: QrLook): string {
  const asked = new URLSearchParams({ format, size: '1024' })
  if (look) {
    asked.set('color', look.color.slice(1))
    asked.set('background', look.background.slice(1))
    asked.set('margin', String(look.margin))
    asked.set('level', look.level)
    asked.set('logo', String(look.hasLogo))
  }
  const path = `/manage/properties/${encodeURIComponent(property)}/links/${encodeURIComponent(link)}/qr`
  return `${apiPath}${path}?${asked.toString()}`
}
