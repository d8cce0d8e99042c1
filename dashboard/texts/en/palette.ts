// The search over everything (Ctrl K).
import { plural } from './plural.ts'

export const text = {
  title: 'Search',
  placeholder: 'Search pages, links, forms, contacts…',
  results: 'Results',
  groups: {
    pages: 'Pages',
    actions: 'Actions',
    links: 'Links',
    forms: 'Forms',
    contacts: 'Contacts',
    content: 'Experiments',
    properties: 'Properties',
  },
  settings: (section: string) => `Settings: ${section}`,
  newLink: 'Create a link',
  newForm: 'Create a form',
  newExperiment: 'Create an experiment',
  newAutomation: 'Create an automation',
  newProperty: 'Add a website',
  none: 'Nothing found',
  noneHint: 'Try part of a name, a URL or an email address.',
  searching: 'Searching…',
  found: (count: number) => `${count} ${plural(count, { one: 'result', other: 'results' })}`,
  move: 'to move',
  choose: 'to open',
} as const
