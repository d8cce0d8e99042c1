// What lets programs in: tokens with their scopes, and the proxy key. Each secret is shown once.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import {
  createToken,
  listTokens,
  revokeToken,
  type Scope,
  scopes,
  type Token,
  TOKENS_PER_PAGE,
} from '../../api/tokens.ts'
import { date } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { SecretOnce } from '../../parts/copy.tsx'
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx'
import { Checkbox, FieldError, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Badge } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { text as all } from '../../texts/en/settings.ts'
import { flagParam, numberParam, useUrlState } from '../../url.ts'
import styles from './page.module.css'
import { ProxyKey } from './proxy-key.tsx'

const text = all.keys
const codecs = { page: numberParam(1), new: flagParam }
const MAX_NAME = 120

const columnsWith = (onRevoke: (token: Token) => void): readonly Column<Token>[] => [
  { id: 'name', header: text.name, cell: ({ name }) => name, width: '14rem' },
  { id: 'scopes', header: text.scopes, cell: (token) => <Scopes token={token} /> },
  { id: 'created', header: text.created, cell: ({ created_ts }) => date(created_ts), isMinor: true, width: '8rem' },
  {
    id: 'revoke',
    header: text.revoke,
    align: 'end',
    isAction: true,
    cell: (token) => (
      <Button size="small" look="danger" aria-label={`${text.revoke}: ${token.name}`} onClick={() => onRevoke(token)}>
        {text.revoke}
      </Button>
    ),
  },
]

const Scopes = ({ token }: { token: Token }) => (
  <span className={styles.badges}>
    {token.scopes.map((scope) => (
      <Badge key={scope}>{scope}</Badge>
    ))}
  </span>
)

export function Keys() {
  const property = useProperty()
  const [state, setState] = useUrlState<{ page: number; new: boolean }>(codecs)
  const [revoked, setRevoked] = useState<Token>()
  const tokens = useQuery({
    queryKey: ['tokens', property.id, state.page],
    queryFn: ({ signal }) => listTokens(property.id, state.page, signal),
    placeholderData: keepPreviousData,
  })
  const add = (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setState({ new: true })}>
      {text.add}
    </Button>
  )
  return (
    <>
      <Panel
        title={text.tokens}
        subtitle={text.tokensSubtitle}
        actions={(tokens.data?.total ?? 0) > 0 ? add : undefined}
        isFlush
      >
        <DataTable
          caption={text.caption}
          columns={columnsWith(setRevoked)}
          rows={tokens.data?.data}
          rowKey={({ id }) => id}
          error={tokens.error}
          onRetry={tokens.refetch}
          isStale={tokens.isPlaceholderData}
          skeletonRows={3}
          empty={
            <EmptyState isSmall icon={<KeyRound />} title={text.emptyTitle} actions={add}>
              {text.empty}
            </EmptyState>
          }
        />
        <Pagination
          page={state.page}
          perPage={TOKENS_PER_PAGE}
          total={tokens.data?.total ?? 0}
          onPage={(page) => setState({ page })}
        />
      </Panel>
      <ProxyKey />
      {state.new && <NewToken onClose={() => setState({ new: false }, { replace: true })} />}
      {revoked && <Revocation token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  )
}

function Revocation({ token, onClose }: { token: Token; onClose: () => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const confirm = async (): Promise<void> => {
    await revokeToken(property.id, token.id)
    toast(text.revoked)
    await client.invalidateQueries({ queryKey: ['tokens', property.id] })
  }
  return (
    <ConfirmDialog title={text.revokeTitle(token.name)} action={text.revoke} onConfirm={confirm} onClose={onClose}>
      {text.revokeWords}
    </ConfirmDialog>
  )
}

interface Made {
  readonly name: string
  readonly secret: string
}

function NewToken({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Made>()
  if (made)
    return (
      <Dialog title={text.madeTitle} onClose={onClose}>
        <SecretOnce label={text.made(made.name)} secret={made.secret} onDone={onClose} />
      </Dialog>
    )
  return <TokenForm onMade={setMade} onClose={onClose} />
}

function TokenForm({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm<{ name: string; scopes: readonly Scope[] }>({ name: '', scopes: [] }, async (asked) => {
    const { token, access_token } = await createToken(property.id, asked)
    onMade({ name: token.name, secret: access_token })
    await client.invalidateQueries({ queryKey: ['tokens', property.id] })
  })
  const chosen = form.values.scopes
  const choose = (scope: Scope, isOn: boolean): void =>
    form.set({ scopes: isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope) })
  return (
    <Dialog title={text.add} onClose={onClose}>
      <Form
        form={form}
        actions={
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {text.make}
          </Button>
        }
      >
        <TextField label={text.name} hint={text.nameHint} maxLength={MAX_NAME} {...form.field('name')} />
        <fieldset className={styles.options}>
          <legend>{text.scopes}</legend>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={text.scopeWords[scope]?.label ?? scope}
              hint={text.scopeWords[scope]?.hint}
              isOn={chosen.includes(scope)}
              onChange={(isOn) => choose(scope, isOn)}
            />
          ))}
          <FieldError errors={form.errorsOf('scopes').length > 0 ? [text.chooseScope] : []} />
        </fieldset>
      </Form>
    </Dialog>
  )
}
