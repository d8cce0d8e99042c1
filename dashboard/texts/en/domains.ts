// Settings, “Domains”: domains of the property's own for its short links.
export const text = {
  title: 'Link domains',
  subtitle: 'Use your own domain for this property’s short links.',
  add: 'Add domain',
  emptyTitle: 'No domains yet',
  empty: (url: string) => `Short links use ${url}. Add a domain such as go.example.com to use it instead.`,
  full: 'You’ve already replaced both short domains. Remove one to add another.',
  host: 'Domain',
  hostHint: 'A subdomain such as go.example.com. Everything on it becomes short links, so use one with no website.',
  hostPlaceholder: 'go.example.com',
  domain: 'Replaces',
  domainHint: 'New links use your domain instead. Existing links keep working.',
  create: 'Add domain',
  added: 'Domain added',
  verified: 'Verified',
  pending: 'Waiting for DNS',
  attention: 'Needs attention',
  links: 'Links',
  lastCheck: 'Last check',
  never: 'Not yet',
  records: 'DNS records',
  recordsHint: 'Add both records where your domain is managed. Changes can take up to an hour to show.',
  recordsCaption: (host: string) => `DNS records for ${host}`,
  type: 'Type',
  name: 'Name',
  value: 'Value',
  copyName: 'Copy name',
  copyValue: 'Copy value',
  check: 'Check again',
  passed: (host: string) => `${host} is verified`,
  remove: 'Remove',
  removeTitle: (host: string) => `Remove ${host}?`,
  removeWords: (links: string, count: number) =>
    count === 0
      ? 'No links use it. You can add it again later.'
      : `${links} ${count === 1 ? 'link stops' : 'links stop'} working until you add and verify it again.`,
  removed: 'Domain removed',
  dead: {
    title: 'Dead links',
    subtitle:
      'Where to send people whose short link has expired, hasn’t started, is turned off or was deleted, or who mistype a link on your own domain.',
    url: 'Redirect to',
    hint: 'A page of your website. If empty, people see a short page that says the link leads nowhere.',
    placeholder: 'https://example.com/',
  },
  faults: {
    txt_missing: 'The TXT record is missing or has a different value.',
    dns_away: 'The domain’s name servers didn’t respond. Try again in a few minutes.',
    not_reached:
      'The domain doesn’t point to this service yet, or has no certificate. Check the CNAME record. If you use your own proxy, add the domain there too.',
    refused_address: 'The domain points to a private IP address, which isn’t allowed.',
    other_service:
      'Another service answered, or a proxy replaced the host name. Check the CNAME record, and that your proxy passes the Host header on.',
    taken_over: 'Another property has since verified this domain. Replace the TXT record to verify it again.',
  },
}
