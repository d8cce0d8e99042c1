// Sessions have stored columns alone. The engine works out each computed one for every statement that names
// the table, which took a third of planning the shortest of them; whoever asks names the tuple instead
// (../../session-columns.ts).
import type { FactMigration } from '../facts.ts'

const fold = (name: string, fields: string) => `at view ${fields}`.split(' ').map((field) => `${name}.${field}`)

export const migration: FactMigration = {
  name: '033_plain_sessions',
  tables: {},
  views: {},
  dropsColumns: {
    sessions: [
      ...fold('entry', 'path channel source referrer_domain'),
      ...fold(
        'detail',
        'url hostname title method referrer_url utm_source utm_medium utm_campaign utm_term utm_content click_id',
      ),
      ...fold('exit', 'path'),
      'currency.code',
      'link',
      'link_group',
    ],
  },
}
