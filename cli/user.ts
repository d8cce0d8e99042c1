// `footfall user create|list|reset`: uses only the records, so it works while the server runs, and when
// nobody can sign in any more.
import { createUser, getUserByEmail, listUsers, makeReset } from '../server/accounts/users.ts'
import type { ListedUser } from '../server/accounts/user-model.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { withRecords } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

const usage = `footfall user create --email ADDRESS --name NAME [--owner] [--json]
footfall user list [--json]
footfall user reset EMAIL [--no-second-factor] [--json]

create and reset print a link that lets the person choose a password. It is shown once and expires in seven days. --owner
creates an owner of the installation, with access to every property and all people. After a reset, the old password works until
the link is used; --no-second-factor also turns off two-factor authentication.`

const options = {
  email: { type: 'string' },
  name: { type: 'string' },
  owner: { type: 'boolean', default: false },
  'no-second-factor': { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

async function create(values: Values): Promise<void> {
  const [email, name] = [needed(values.email, '--email'), needed(values.name, '--name')]
  const { user, invitationUrl } = await withRecords((deps) => createUser(deps, { email, name, is_owner: values.owner }))
  answer(values.json, { user, invitation_url: invitationUrl }, [
    `Added ${user.name}${user.is_owner ? ', an owner of the installation' : ''}.`,
    '',
    `The link to choose a password with (shown only now): ${invitationUrl}`,
  ])
}

function stateOf({ is_active: isActive, has_password: hasPassword, has_totp: hasTotp }: ListedUser): string {
  if (!isActive) return 'deactivated'
  if (!hasPassword) return 'invited'
  return hasTotp ? 'two factors' : 'password'
}

const row = (user: ListedUser) => [user.id, user.email, user.name, user.is_owner ? 'owner' : '', stateOf(user)]

async function list(values: Values): Promise<void> {
  const rows = await withRecords((deps) => everyRow((ask) => listUsers(deps, ask)))
  const lines =
    rows.length === 0
      ? ['Nobody can sign in yet: the start of the server gives a link, or footfall user create --owner creates one.']
      : columns([['ID', 'EMAIL', 'NAME', 'ACCESS', 'STATUS'], ...rows.map(row)])
  answer(values.json, { users: rows, total: rows.length }, lines)
}

async function reset(values: Values, address: string | undefined): Promise<void> {
  const email = needed(address, 'the email address')
  const dropsTotp = values['no-second-factor']
  const { resetUrl, expiresTs } = await withRecords(async (deps) =>
    makeReset(deps, (await getUserByEmail(deps, email)).id, { dropsTotp }),
  )
  answer(values.json, { reset_url: resetUrl, expires_ts: expiresTs }, [
    `The link to choose a new password with (shown only now): ${resetUrl}`,
  ])
}

/** With the number of positional words of each. */
const actions: Readonly<
  Record<string, { readonly words: number; readonly run: (values: Values, word?: string) => Promise<void> }>
> = {
  create: { words: 0, run: create },
  list: { words: 0, run: list },
  reset: { words: 1, run: reset },
}

export async function user(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action && words.length <= action.words) await action.run(values, words[0])
  else throw new UsageError('user takes one of: create, list, reset EMAIL')
  return 0
}
