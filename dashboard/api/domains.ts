// Domains of a property's own for its short links.
import type { DomainJson } from '../../server/links/domain-schema.ts'
import type { Domain } from '../../server/links/link-model.ts'
import { get, post, remove } from '../api.ts'

export type { DomainJson as OwnDomain }

const pathOf = (property: string, rest = '') => `/manage/properties/${encodeURIComponent(property)}/own-domains${rest}`
const at = (host: string, rest = '') => `/${encodeURIComponent(host)}${rest}`

export const listOwnDomains = (property: string, signal?: AbortSignal) =>
  get<{ domains: readonly DomainJson[] }>(pathOf(property), { signal })
export const addOwnDomain = (property: string, asked: { readonly host: string; readonly domain: Domain }) =>
  post<{ domain: DomainJson }>(pathOf(property), asked)
export const checkOwnDomain = (property: string, host: string) =>
  post<{ domain: DomainJson }>(pathOf(property, at(host, '/check')), {})
export const removeOwnDomain = (property: string, host: string) => remove(pathOf(property, at(host)))
