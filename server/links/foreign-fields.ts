// What other link services call the parts of a link, in their files and in the answers of their interfaces.
export const foreignFormats = ['bitly', 'dub', 'shlink', 'yourls', 'kutt', 'rebrandly'] as const
export type ForeignFormat = (typeof foreignFormats)[number]

/**
 * `code` is the code alone, `short` a whole short URL; `notes` to `isOff` limit where the link leads whom.
 */
export type FieldName =
  | 'destination'
  | 'code'
  | 'short'
  | 'title'
  | 'created'
  | 'notes'
  | 'archived'
  | 'isOff'
  | 'starts'
  | 'ends'
  | 'expired'
  | 'most'
  | 'used'
  | 'password'
  | 'ios'
  | 'android'
  | 'countries'
/** In the order in which they are asked: the first that says something. As `plainName` has them. */
export type Fields = Readonly<Partial<Record<FieldName, readonly string[]>>>

export const fieldsOf: Readonly<Record<ForeignFormat, Fields & { readonly destination: readonly string[] }>> = {
  bitly: {
    destination: ['longurl', 'destinationurl', 'originalurl'],
    short: ['custombitlinks', 'custombitlink', 'customlink', 'link', 'bitlink', 'shortlink', 'id'],
    title: ['title'],
    created: ['createdat', 'created', 'datecreated'],
    archived: ['archived'],
    ends: ['expirationat', 'expiresat'],
  },
  dub: {
    destination: ['url', 'destinationurl'],
    code: ['key'],
    short: ['link', 'shortlink'],
    title: ['title'],
    created: ['createdat', 'created'],
    notes: ['comments'],
    archived: ['archived'],
    isOff: ['disabledat'],
    ends: ['expiresat'],
    expired: ['expiredurl'],
    password: ['password'],
    ios: ['ios'],
    android: ['android'],
    countries: ['geo'],
  },
  shlink: {
    destination: ['longurl'],
    code: ['shortcode'],
    short: ['shorturl'],
    title: ['title'],
    created: ['datecreated', 'createdat'],
    starts: ['validsince'],
    ends: ['validuntil'],
    most: ['maxvisits'],
    used: ['visitscount', 'visits'],
  },
  yourls: {
    destination: ['url', 'longurl'],
    code: ['keyword'],
    short: ['shorturl'],
    title: ['title'],
    created: ['timestamp', 'date'],
  },
  kutt: {
    destination: ['target'],
    code: ['address'],
    short: ['link'],
    title: ['description'],
    created: ['createdat'],
    isOff: ['banned'],
    ends: ['expirein'],
    password: ['password'],
  },
  rebrandly: {
    destination: ['destination', 'destinationurl'],
    code: ['slashtag'],
    short: ['shorturl'],
    title: ['title'],
    created: ['createdat', 'created', 'creationdate'],
  },
}
