// The checklist of a new property, on its overview.
export const text = {
  title: 'Get started',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  hide: 'Hide checklist',
  done: 'Done',
  steps: {
    live: 'See yourself live',
    goal: 'Set a goal',
    link: 'Create a short link',
    form: 'Connect a form',
    leads: 'Get new leads by email',
    team: 'Invite someone',
    ip: 'Exclude your own visits',
  },
  yourIp: (ip: string) => `Your IP is ${ip}`,
  exclude: 'Exclude',
  excluded: 'Your IP address is excluded.',
} as const
