// `footfall token create|list|revoke`: uses only the records, so it works while the server runs, which
// notices within two seconds.
import { readScopes, readTokenDraft } from '../server/properties/drafts.ts'
import {
  createToken,
  listTokens,
  revokeTokenById,
  type Scope,
  scopes,
  type Token,
} from '../server/properties/tokens.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { propertyFor } from './which-property.ts'
import { withRecords } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

const usage = `footfall token create [--property ID] [--name NAME] [--scope SCOPE]... [--json]
footfall token list [--property ID] [--json]
footfall token revoke TOKEN_ID [--json]

--property is optional when there is only one. Without --scope, a token can read and write signals.
Scopes: ${scopes.join(', ')}.
The access token is shown once; only a hash is stored. A revoked token stops working within two seconds.`

const options = {
  property: { type: 'string' },
  name: { type: 'string', default: 'command line' },
  scope: { type: 'string', multiple: true },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

const usualScopes: readonly Scope[] = ['signals:read', 'signals:write']

async function create(values: Values): Promise<void> {
  const draft = readTokenDraft({ name: values.name, scopes: values.scope ? readScopes(values.scope) : usualScopes })
  const { token, accessToken } = await withRecords(async (deps) =>
    createToken(deps, (await propertyFor(deps, values.property)).id, draft),
  )
  answer(values.json, { token, access_token: accessToken }, [
    `Created a token of ${token.property_id} for ${token.scopes.join(', ')}.`,
    '',
    ...columns([
      ['  id', token.id],
      ['  token', `${accessToken}  (shown only now)`],
    ]),
  ])
}

const row = (token: Token) => [token.id, token.name, token.scopes.join(', ')]

async function list(values: Values): Promise<void> {
  const rows = await withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    return everyRow((ask) => listTokens(deps, id, ask))
  })
  const lines =
    rows.length === 0
      ? ['There is no token yet: footfall token create.']
      : columns([['ID', 'NAME', 'SCOPES'], ...rows.map(row)])
  answer(values.json, { tokens: rows, total: rows.length }, lines)
}

async function revoke(values: Values, id: string | undefined): Promise<void> {
  const tokenId = needed(id, 'the id of the token')
  await withRecords((deps) => revokeTokenById(deps, tokenId))
  answer(values.json, { revoked: tokenId }, [`Revoked ${tokenId}: it is refused everywhere within two seconds.`])
}

const actions: Readonly<
  Record<string, { readonly words: number; readonly run: (values: Values, word?: string) => Promise<void> }>
> = {
  create: { words: 0, run: create },
  list: { words: 0, run: list },
  revoke: { words: 1, run: revoke },
}

export async function token(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action && words.length <= action.words) await action.run(values, words[0])
  else throw new UsageError('token takes one of: create, list, revoke TOKEN_ID')
  return 0
}
