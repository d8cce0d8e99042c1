// What other folders know of the files of contacts: how they are exported.
export { personPage, readPerson } from './person.ts'
export { contactBatches, exportContacts } from './export.ts'
