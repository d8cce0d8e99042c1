// The roles in a property. Each endpoint declares the role it needs; nothing else decides.

/** From the least to the most. An owner also manages members and may delete the property. */
export const roles = ['viewer', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}
