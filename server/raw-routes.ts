// The routes that are not values: streams, images, scripts, redirects, the dashboard's files, and calls of
// visitors' browsers, where an endpoint's promise per call would be noticeable. Each is written out in the
// plugin that registers it, and listed here for `footfall routes`.

/** Method, URL, callers and purpose. */
type RawRoute = readonly ['GET' | 'POST', string, string, string]

/** Those with a description of their own in /openapi.json. */
export const describedRaw: readonly RawRoute[] = [
  ['GET', '/healthz', 'anyone', 'The process is alive.'],
  [
    'GET',
    '/readyz',
    'anyone',
    'Both stores answer and DATA_DIR takes writes; 503 names in `away` what does not, or says `stopping`. With `?scope=node` the stores are left out: for a load balancer.',
  ],
  [
    'GET',
    '/metrics',
    'from this machine, or the administrator',
    'Prometheus metrics: from this machine itself, or with ADMIN_TOKEN.',
  ],
  [
    'GET',
    '/tls-host',
    'from this machine or its network, or the administrator',
    'Whether the service answers at the host `domain`: for a TLS server before it (200 or 404).',
  ],
  ['GET', '/icons/:domain.svg', 'anyone', 'An icon for a domain'],
  [
    'GET',
    '/icons/live/:badge.svg',
    'anyone',
    'How many people are on a site now, as an image: the badge of a share link that has one',
  ],
  ['GET', '/signals.js', 'anyone', 'The browser library signals.js'],
  ['GET', '/extras.js', 'anyone', 'The browser library extras.js'],
  ['GET', '/vitals.js', 'anyone', 'The browser library vitals.js'],
  ['GET', '/form.js', 'anyone', 'The browser library form.js'],
  ['GET', '/filling.js', 'anyone', 'The browser library filling.js'],
  ['GET', '/managed.js', 'anyone', 'The browser library managed.js'],
  ['GET', '/content.js', 'anyone', 'The browser library content.js'],
  ['GET', '/v2/signal/load', 'anyone', 'Open or continue a session and record a page view'],
  ['POST', '/v2/signal/load', 'anyone', 'Open or continue a session and record a page view, told in a body'],
  ['POST', '/v2/signal/:viewId/ping', 'anyone', 'Report time on the page and scroll depth'],
  ['POST', '/v2/signal/:sessionId/vitals', 'anyone', 'Report how fast a page was'],
  ['POST', '/v2/signal/:sessionId/event', 'anyone', 'Record an event of the visitor'],
  ['POST', '/v2/signal/:sessionId/acquisition', 'anyone', 'Record money and tags'],
  ['POST', '/v2/signal/:sessionId/identify', 'anyone', 'Say who the visitor is'],
  ['POST', '/v2/signal/resolve', 'anyone', "The visitor's session, rebuilt from the request"],
  ['POST', '/v2/form/:formKey/init', 'anyone', 'Open a form: freeze its fields and rules, get a token'],
  ['POST', '/v2/form/:token/validate', 'anyone', 'Validate values; nothing is kept'],
  ['POST', '/v2/form/:token/process', 'anyone', 'Send a form'],
  ['GET', '/v2/content/:contentKey/render', 'anyone', 'A content block in the version for this visitor'],
  ['POST', '/v2/content/track', 'anyone', 'Tell that a block was seen or clicked'],
  ['POST', '/v2/lib/error', 'anyone', 'Report a failure in a browser library'],
  ['GET', '/v2/ping-me', 'anyone', 'What the service sees of the caller'],
]

/** Pages and files, which are not part of the API. */
export const hiddenRaw: readonly RawRoute[] = [
  ['GET', '/', 'anyone', 'Leads to the dashboard'],
  ['GET', '/dashboard', 'anyone', 'The dashboard'],
  ['GET', '/dashboard/*', 'anyone', 'Pages and files of the dashboard'],
  ['GET', '/f/:formKey', 'anyone', 'A managed form as a page of its own'],
  ['POST', '/f/:formKey', 'anyone', 'Send a plain HTML form'],
  ['GET', '/unsubscribe/:id', 'anyone', 'The page behind the link Unsubscribe of an email'],
  ['POST', '/unsubscribe/:id', 'anyone', 'Unsubscribe with one click'],
  ['GET', '/lists/confirm/:id', 'anyone', 'The page behind the email that asks to confirm a list'],
  ['POST', '/lists/confirm/:id', 'anyone', 'Confirm a list'],
  ['GET', '/lists/leave/:id', 'anyone', 'The page by which a contact leaves a list'],
  ['POST', '/lists/leave/:id', 'anyone', 'Leave a list with one click'],
  ['GET', '/openapi.json', 'anyone', 'The description of this interface, for programs'],
  ['GET', '/docs', 'anyone', 'The description of this interface, for people'],
  ['GET', '/:code', 'anyone', 'On a short domain: sends the visitor on'],
]
