// Turning the second factor on: the password, then the secret and a first code, then the recovery codes.
import { lazy, Suspense, useState } from 'react'
import { beginTotp, confirmTotp } from '../../api/accounts.ts'
import type { User } from '../../api/session.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { later } from '../../later.ts'
import { toast } from '../../parts/announce.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { refreshSession } from '../../session.tsx'
import { account as all } from '../../texts/index.ts'
import { PasswordStep } from './password-step.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './page.module.css'

const text = all.totp
const QrCode = lazy(later(() => import('./qr-code.tsx')))

interface Secret {
  readonly secret: string
  readonly otpauth_url: string
}

export function SetUpTotp({ user, onClose }: { user: User; onClose: () => void }) {
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<readonly string[]>()
  /** It is on by now, whichever way the dialog is left. */
  const leave = (): void => {
    onClose()
    if (codes) void refreshSession()
  }
  if (codes)
    return (
      <Dialog title={text.codesTitle} onClose={leave}>
        <RecoveryCodes email={user.email} codes={codes} onDone={leave} />
      </Dialog>
    )
  return (
    <Dialog title={text.setUpTitle} onClose={leave}>
      {secret === undefined ? (
        <PasswordStep
          words={text.passwordHint}
          action={text.goOn}
          onPassword={async (password) => setSecret(await beginTotp(password))}
        />
      ) : (
        <CodeStep
          secret={secret}
          onCodes={(given) => {
            setCodes(given)
            toast(text.turnedOn)
          }}
        />
      )}
    </Dialog>
  )
}

/** In fours, as it is easier to type. */
const spaced = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

function CodeStep({ secret, onCodes }: { secret: Secret; onCodes: (codes: readonly string[]) => void }) {
  const form = useForm({ code: '' }, async ({ code }) => {
    const answer = await confirmTotp(code.replaceAll(/\s/g, '')).catch(rethrowSpoken)
    onCodes(answer.recovery_codes)
  })
  return (
    <Form form={form} action={text.confirm}>
      <div className={styles.scan}>
        <Suspense fallback={<Skeleton className={styles.qr} />}>
          <QrCode words={secret.otpauth_url} label={text.qr} className={styles.qr ?? ''} />
        </Suspense>
        <div className={styles.steps}>
          <p>{text.scan}</p>
          <p>
            <span className={styles.hint}>{text.secret}</span>
            <br />
            <Copyable words={spaced(secret.secret)} />
          </p>
        </div>
      </div>
      <TextField
        label={text.code}
        hint={text.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        {...form.field('code')}
      />
    </Form>
  )
}
