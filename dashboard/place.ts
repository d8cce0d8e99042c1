// Where the service serves the dashboard and its API: the service writes both into index.html
// (server/dashboard/).

const { base = '', api = '', names = '' } = document.documentElement.dataset

/** Path before every page of the dashboard, without a slash at its end. */
export const basePath: string = base
/** Path before /manage and /v2, without a slash at its end. */
export const apiPath: string = api
/** What has another path than its own (PUBLIC_PATHS), by its own. */
export const otherPaths: ReadonlyMap<string, string> = new Map(
  names.split(' ').map((pair): [string, string] => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']),
)
/** The dashboard's own address, for links that leave it. */
export const dashboardUrl = (path: string): string => `${location.origin}${basePath}${path}`
/** The address of a file beside index.html. */
export const fileUrl = (name: string): string => `${basePath}/${name}`
