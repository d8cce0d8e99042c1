// Histories: who changed what, and how it is put back.
import type { Edit, EditedBy } from '../../api/edits.ts'

const kinds: Readonly<Record<Edit['kind'], string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  undo: 'Undone',
}

const editors: Readonly<Record<Exclude<EditedBy['kind'], 'user'>, string>> = {
  admin: 'Admin token',
  command_line: 'Command line',
  service: 'Footfall',
  unknown: '–',
}

export const text = {
  title: 'History',
  hint: 'You can undo any of these changes.',
  caption: 'Changes, newest first',
  when: 'When',
  who: 'Who',
  what: 'What',
  done: 'Done',
  changed: 'What changed',
  undo: 'Undo',
  undone: 'Change undone',
  kinds,
  editors,
  removed: 'Removed person',
}
