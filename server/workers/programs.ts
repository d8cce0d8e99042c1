// Files that processes of their own are started with. The bundle has another module in the place of this one
// (tools/build-server.mjs).
import { fileURLToPath } from 'node:url'

/** The service. */
export const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url))
