// What a person may do with a property. Rights are declared beside each endpoint; nothing else decides them.

/** The least first. An owner also decides who belongs to the property, and may delete it. */
export const roles = ['viewer', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}
