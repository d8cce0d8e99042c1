// The routes that are not values: streams, images, scripts, redirects, the dashboard's files, and calls of
// visitors' browsers, where an endpoint's promise per call would be noticeable. Each is written out in the
// plugin that registers it, and listed here for `footfall routes`.

/** Method, URL, callers and purpose. */
type RawRoute = readonly ['GET' | 'POST', string, string, string]

/** Those with a description of their own in /openapi.json. */
export const describedRaw: readonly RawRoute[] = [
  ['GET', '/healthz', 'anyone', 'Check that the process is alive'],
  [
    'GET',
    '/readyz',
    'anyone',
    'Check that both stores respond and DATA_DIR is writable. 503 lists in `away` what is not, or says `stopping`. `?scope=node` leaves out the stores, for load balancers',
  ],
  [
    'GET',
    '/metrics',
    'from this machine, or the administrator',
    'Prometheus metrics, from this machine or with ADMIN_TOKEN',
  ],
  [
    'GET',
    '/tls-host',
    'from this machine or its network, or the administrator',
    'Check whether the service uses the host `domain` (200 or 404), for TLS servers',
  ],
  ['GET', '/icons/:domain.svg', 'anyone', 'Get an icon for a domain'],
  ['GET', '/icons/flags/:code.svg', 'anyone', 'Get the flag of a country by its ISO 3166 code'],
  ['GET', '/icons/browsers/:name.svg', 'anyone', 'Get an icon for one of the browsers by its name'],
  ['GET', '/icons/systems/:name.svg', 'anyone', 'Get an icon for one of the systems by its name'],
  ['GET', '/icons/live/:badge.svg', 'anyone', 'Get the badge of a share link: live visitors as an image'],
  ['GET', '/signals.js', 'anyone', 'The browser library signals.js'],
  ['GET', '/extras.js', 'anyone', 'The browser library extras.js'],
  ['GET', '/vitals.js', 'anyone', 'The browser library vitals.js'],
  ['GET', '/form.js', 'anyone', 'The browser library form.js'],
  ['GET', '/filling.js', 'anyone', 'The browser library filling.js'],
  ['GET', '/managed.js', 'anyone', 'The browser library managed.js'],
  ['GET', '/notes.js', 'anyone', 'The browser library notes.js'],
  ['GET', '/content.js', 'anyone', 'The browser library content.js'],
  ['GET', '/tag.js', 'anyone', 'The browser library tag.js'],
  ['GET', '/v2/signal/load', 'anyone', 'Open or continue a session and record a page view'],
  ['POST', '/v2/signal/load', 'anyone', 'Open or continue a session and record a page view, from a request body'],
  ['POST', '/v2/signal/:viewId/ping', 'anyone', 'Report time on the page and scroll depth'],
  ['POST', '/v2/signal/:sessionId/vitals', 'anyone', 'Report Web Vitals'],
  ['POST', '/v2/signal/:sessionId/event', 'anyone', 'Record an event'],
  ['POST', '/v2/signal/:sessionId/acquisition', 'anyone', 'Record revenue and tags'],
  ['POST', '/v2/signal/:sessionId/identify', 'anyone', 'Identify the visitor'],
  ['POST', '/v2/signal/resolve', 'anyone', "Get the visitor's session from the request"],
  ['POST', '/v2/form/:formKey/init', 'anyone', 'Open a form session and get a token'],
  ['POST', '/v2/form/:token/validate', 'anyone', 'Validate values without storing them'],
  ['POST', '/v2/form/:token/upload', 'anyone', 'Upload the files of a form'],
  ['POST', '/v2/form/:token/process', 'anyone', 'Submit a form'],
  ['GET', '/v2/content/:contentKey/render', 'anyone', 'Get a content block in the version for this visitor'],
  ['POST', '/v2/content/track', 'anyone', 'Report that a block was seen or clicked'],
  ['POST', '/v2/lib/error', 'anyone', 'Report an error in a browser library'],
  ['GET', '/v2/ping-me', 'anyone', 'Get what the service sees of the caller'],
]

/** Pages and files, which are not part of the API. */
export const hiddenRaw: readonly RawRoute[] = [
  ['GET', '/', 'anyone', 'Redirect to the dashboard'],
  ['GET', '/dashboard', 'anyone', 'The dashboard'],
  ['GET', '/dashboard/*', 'anyone', 'Pages and files of the dashboard'],
  ['GET', '/f/:formKey', 'anyone', 'Show a managed form as a page'],
  ['POST', '/f/:formKey', 'anyone', 'Submit a plain HTML form'],
  ['GET', '/unsubscribe/:id', 'anyone', 'The unsubscribe page linked in emails'],
  ['POST', '/unsubscribe/:id', 'anyone', 'Unsubscribe with one click'],
  ['GET', '/lists/confirm/:id', 'anyone', 'The page to confirm a list, linked in emails'],
  ['POST', '/lists/confirm/:id', 'anyone', 'Confirm a list subscription'],
  ['GET', '/lists/leave/:id', 'anyone', 'The page to leave a list, linked in emails'],
  ['POST', '/lists/leave/:id', 'anyone', 'Leave a list with one click'],
  ['GET', '/uploads/:link', 'anyone', 'Download a file of a submission by its signed link'],
  ['GET', '/openapi.json', 'anyone', 'The OpenAPI description'],
  ['GET', '/docs', 'anyone', 'The documentation'],
  ['GET', '/:code', 'anyone', 'Redirect a short link'],
]
