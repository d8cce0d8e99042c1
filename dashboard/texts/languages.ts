// Every language of the dashboard: one line and one folder each.
export { en } from './en/index.ts'
