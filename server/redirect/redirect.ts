// What other folders know of the redirect: which short domains there are, and which paths are its own.
export { ownPaths, type ShortDomains } from './hosts.ts'
