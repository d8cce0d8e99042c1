// The guide behind each page: a path below /docs of the service.
const guides: Readonly<Record<string, string>> = {
  sites: 'overview',
  overview: 'overview',
  live: 'overview#who-is-here-now',
  sessions: 'overview#who-is-here-now',
  goals: 'goals',
  links: 'links',
  forms: 'forms',
  contacts: 'contacts',
  automations: 'automations',
  content: 'experiments',
  settings: 'browser',
  'settings/general': 'overview#choose-the-period',
  'settings/exclusions': 'overview#when-a-number-looks-wrong',
  'settings/domains': 'links#your-own-domain',
  'settings/reports': 'email#reports',
  'settings/costs': 'definitions#cost',
  'settings/keys': 'recipes#read-metrics-from-a-script',
  'settings/team': 'accounts',
  'settings/sharing': 'overview#share-it',
  'settings/data': 'privacy',
  speed: 'browser#web-vitals',
  bots: 'overview#bots',
  start: 'browser',
  new: '',
  account: 'accounts#protect-your-account',
  users: 'accounts',
  mail: 'email',
  backups: 'backups',
}

/** Those that a test holds to the pages of the documentation. */
export const guidePaths: readonly string[] = Object.values(guides)

/** @param path of the dashboard. @returns undefined for pages that nobody needs a guide for. */
export function guideOf(path: string): string | undefined {
  const [first = 'sites', , page = 'overview', part] = path.split('/').filter(Boolean)
  if (first !== 'properties') return guides[first]
  return guides[`${page}/${part}`] ?? guides[page]
}
