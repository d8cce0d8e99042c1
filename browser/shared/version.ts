// The one version of the libraries, as X-SVC-LIB and reports of errors name it. From 1.1.0 up page and title headers are URI-encoded.
import { version } from '../package.json'

export { version }

export type Library = 'signals' | 'form' | 'content'

export const versionOf = (library: Library): string => `${library}/${version}`
