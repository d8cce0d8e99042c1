// The guide behind each page: a path below /docs of the service.
const guides: Readonly<Record<string, string>> = {
  overview: 'overview',
  live: 'overview#who-is-here-now',
  sessions: 'overview',
  goals: 'goals',
  links: 'links',
  forms: 'forms',
  contacts: 'contacts',
  automations: 'automations',
  content: 'experiments',
  settings: 'browser',
  speed: 'browser#web-vitals',
  bots: 'definitions',
  start: 'browser',
  new: '',
  account: 'api/accounts',
  users: 'api/accounts',
  mail: 'email',
  backups: 'backups',
}

/** Those that a test holds to the pages of the documentation. */
export const guidePaths: readonly string[] = Object.values(guides)

/** @param path of the dashboard. @returns undefined for pages that nobody needs a guide for. */
export function guideOf(path: string): string | undefined {
  const [first = '', , page = 'overview'] = path.split('/').filter(Boolean)
  return guides[first === 'properties' ? page : first]
}
