// Making a property, and waiting for its first visit.
export const text = {
  title: 'New property',
  subtitle: 'One property for each site that you want to look at on its own.',
  name: 'Name',
  nameHint: 'As it is called here; visitors never see it.',
  domains: 'Domains',
  domainsHint:
    'Where the site lives, one a line: example.com. Visits between them are not counted as coming from elsewhere.',
  submit: 'Make the property',
  noRight: 'Properties are made by owners of the installation.',
  start: {
    title: 'Watch the first visit arrive',
    subtitle: (name: string) => `“${name}” is ready. It needs one line on your site.`,
    snippetTitle: '1. Put this line on every page',
    snippetHint:
      'Anywhere in the head of the page, or in the template that all of your pages share. It sets no cookie and needs no banner.',
    snippetLabel: 'The line for your site',
    waitTitle: '2. Open your site in another tab',
    waiting: 'Waiting for the first visit…',
    waitingHint: 'This page notices by itself. A visit takes a second or two to arrive.',
    arrived: 'The first visit has arrived.',
    arrivedOn: (host: string) => `The first visit has arrived, on ${host}.`,
    trouble:
      'Nothing yet? The page may be cached, the line may be missing from this one page, or an ad blocker may be on in your own browser.',
    toOverview: 'To the overview',
    skip: 'Later',
  },
} as const
