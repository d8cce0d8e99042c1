// Making a property, and waiting for its first visit.
export const text = {
  title: 'Add a website',
  subtitle: 'Use one property per site.',
  name: 'Name',
  nameHint: 'Only you and your team see this name.',
  domains: 'Domains',
  domainsHint: 'One domain per line, like example.com. Clicks between them don’t count as referrals.',
  submit: 'Create property',
  noRight: 'Only owners of the installation can create properties.',
  start: {
    title: 'Set up tracking',
    subtitle: (name: string) => `Add one line of code to ${name}, then open your site.`,
    snippetTitle: '1. Install the tracking code',
    snippetHint: 'No cookies, no banner needed.',
    open: (host: string) => `Open ${host}`,
    waitTitle: '2. Open your site in another tab',
    waiting: 'Waiting for the first visit…',
    waitingHint: 'We’ll detect it automatically, usually within two seconds.',
    arrived: 'Your first visit is in.',
    arrivedOn: (host: string) => `Your first visit is in, from ${host}.`,
    trouble:
      'Nothing yet? Check that the page contains the code, isn’t cached, and that your browser has no ad blocker.',
    toOverview: 'Go to overview',
    skip: 'Skip for now',
  },
} as const
