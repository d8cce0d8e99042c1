// Histories: who changed what, and how it is put back.
import type { Edit, EditedBy } from '../../api/edits.ts'

const kinds: Readonly<Record<Edit['kind'], string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  undo: 'Undone',
}

const editors: Readonly<Record<Exclude<EditedBy['kind'], 'user'>, string>> = {
  admin: 'The administrator’s token',
  command_line: 'The command line',
  service: 'Footfall',
  unknown: '–',
}

export const text = {
  title: 'Edits',
  hint: 'Each can be put back to what was before it.',
  caption: 'Edits, newest first',
  when: 'When',
  who: 'Who',
  what: 'What',
  done: 'Done',
  changed: 'What changed',
  undo: 'Undo',
  undone: 'Put back to what was before',
  kinds,
  editors,
  removed: 'Somebody who was removed',
}
