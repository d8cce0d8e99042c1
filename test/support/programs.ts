// The service and its command line as people run them: built (tools/build-server.mjs), once for all tests.
import { join } from 'node:path'
import { buildServer } from '../../tools/build-server.mjs'

/** Of the built service. */
export const serviceFolder = process.env['FOOTFALL_TEST_SERVICE'] ?? (await buildServer())

export const mainFile = join(serviceFolder, 'main.js')
export const commandFile = join(serviceFolder, 'footfall.js')
