// What the fields of a form can say of a person.

export const leadParts = ['email', 'name', 'first_name', 'last_name', 'company', 'phone', 'consent'] as const
export type LeadPart = (typeof leadParts)[number]
