// The texts of a contact. Whatever has them is made of this list: the row, its search and its erasure, what
// the API takes and answers, files, the pages of the dashboard. Here, where the stores may know it too.

/** Texts that may be null, with the most characters each may have (docs/api/contacts.md). */
export const textLimits = {
  external_id: 255,
  email: 255,
  first_name: 120,
  last_name: 120,
  phone: 64,
  company: 255,
  job_title: 255,
  website: 255,
  country: 120,
  city: 120,
} as const

export type TextField = keyof typeof textLimits

export const textFields = Object.keys(textLimits) as TextField[]

/** The texts that an identification brings as traits. */
export const traitFields = textFields.filter((name) => name !== 'external_id' && name !== 'email')
