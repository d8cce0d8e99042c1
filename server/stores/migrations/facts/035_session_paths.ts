// The pages of each session of a settled day, one for each view, part of its copy: so a filter by page is a
// condition on rows, and looks for no views.
import type { FactMigration } from '../facts.ts'

const paths = ['paths Array(LowCardinality(String))']

export const migration: FactMigration = {
  name: '035_session_paths',
  tables: {},
  columns: { settled: paths, settled_eventful: paths },
  views: {},
}
