// The reverse proxies whose recipes test/proxies.test.ts runs, where they are installed. None is installed
// for it: a machine has one of them at most.
import { findProgram } from './programs.mjs'

const PROGRAMS = { nginx: 'nginx', Caddy: 'caddy', HAProxy: 'haproxy', Apache: 'apache2' }

/** By name; the path is undefined where it is not installed. */
export const findProxies = () => Object.entries(PROGRAMS).map(([name, program]) => [name, findProgram(program)])
