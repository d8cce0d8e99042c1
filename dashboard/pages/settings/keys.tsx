// What lets programs in: tokens with their scopes, and the proxy key. Each secret is shown once.
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
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
import { SecretOnce } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldError } from '../../parts/field.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Badge } from '../../parts/marks.tsx'
import { RevocableList } from '../../parts/revocable-list.tsx'
import type { Column } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { settings as all } from '../../texts/index.ts'
import styles from './page.module.css'
import { ProxyKey } from './proxy-key.tsx'

const text = all.keys
const MAX_NAME = 120

const Scopes = ({ token }: { token: Token }) => (
  <span className={styles.badges}>
    {token.scopes.map((scope) => (
      <Badge key={scope}>{scope}</Badge>
    ))}
  </span>
)

const scopesColumn: Column<Token> = {
  id: 'scopes',
  header: text.scopes,
  cell: (token) => <Scopes token={token} />,
}

export function Keys() {
  const property = useProperty()
  return (
    <>
      <RevocableList
        title={text.tokens}
        subtitle={text.tokensSubtitle}
        words={text}
        icon={<KeyRound />}
        column={scopesColumn}
        queryKey={['tokens', property.id]}
        load={(page, signal) => listTokens(property.id, page, signal)}
        perPage={TOKENS_PER_PAGE}
        revoke={({ id }) => revokeToken(property.id, id)}
        dialog={(onClose) => <NewToken onClose={onClose} />}
      />
      <ProxyKey />
    </>
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
      <Form form={form} action={text.make}>
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
