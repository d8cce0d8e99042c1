// The second factor: on, off, and new recovery codes. Each begins with the password.
import { useState } from 'react'
import { removeTotp, renewRecoveryCodes } from '../../api/accounts.ts'
import type { User } from '../../api/session.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { refreshSession } from '../../session.tsx'
import { account as all } from '../../texts/index.ts'
import { PasswordStep } from './password-step.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpTotp } from './set-up-totp.tsx'
import styles from './page.module.css'

const text = all.totp

type Doing = 'set-up' | 'off' | 'renew'

export function SecondFactor({ user }: { user: User }) {
  const [doing, setDoing] = useState<Doing>()
  const close = (): void => setDoing(undefined)
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <div className={styles.row}>
        <span>
          <StatusDot tone={user.has_totp ? 'good' : 'warn'}>{user.has_totp ? text.on : text.off}</StatusDot>
          {!user.has_totp && <p className={styles.hint}>{text.offHint}</p>}
        </span>
        <span className={styles.actions}>
          {user.has_totp ? (
            <>
              <Button onClick={() => setDoing('renew')}>{text.renew}</Button>
              <Button look="danger" onClick={() => setDoing('off')}>
                {text.turnOff}
              </Button>
            </>
          ) : (
            <Button look="primary" onClick={() => setDoing('set-up')}>
              {text.turnOn}
            </Button>
          )}
        </span>
      </div>
      {doing === 'set-up' && <SetUpTotp user={user} onClose={close} />}
      {doing === 'off' && <TurnOff onClose={close} />}
      {doing === 'renew' && <Renewal user={user} onClose={close} />}
    </Panel>
  )
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const turnOff = async (password: string): Promise<void> => {
    await removeTotp(password)
    toast(text.turnedOff)
    onClose()
    await refreshSession()
  }
  return (
    <Dialog title={text.offTitle} onClose={onClose} size="small">
      <PasswordStep words={text.offWords} action={text.turnOff} isDanger onPassword={turnOff} />
    </Dialog>
  )
}

function Renewal({ user, onClose }: { user: User; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes)
    return (
      <Dialog title={text.codesTitle} onClose={onClose}>
        <RecoveryCodes email={user.email} codes={codes} onDone={onClose} />
      </Dialog>
    )
  return (
    <Dialog title={text.renewTitle} onClose={onClose} size="small">
      <PasswordStep
        words={text.renewWords}
        action={text.renewSubmit}
        onPassword={async (password) => setCodes((await renewRecoveryCodes(password)).recovery_codes)}
      />
    </Dialog>
  )
}
