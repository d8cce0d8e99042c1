// What other folders know of the files of contacts: how they are exported.
export { contactBatches, exportContacts } from './export.ts'
