// Recovery codes, shown once: to be saved, copied or written down before going on.
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { Note } from '../../parts/states.tsx'
import { saveText } from '../../save.ts'
import { account as all } from '../../texts/index.ts'
import styles from './page.module.css'

const text = all.totp

export interface RecoveryCodesProps {
  readonly email: string
  readonly codes: readonly string[]
  readonly onDone: () => void
}

export function RecoveryCodes({ email, codes, onDone }: RecoveryCodesProps) {
  const [isKept, setKept] = useState(false)
  const save = (): void => {
    saveText(text.fileName, [text.fileHead(email), '', ...codes, ''].join('\n'))
    setKept(true)
  }
  return (
    <div className={styles.steps}>
      <Note tone="warn">{text.codesHint}</Note>
      <ul aria-label={text.codesLabel} className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Checkbox label={text.kept} isOn={isKept} onChange={setKept} />
      <div className={styles.actions}>
        <Button icon={<Download aria-hidden="true" />} onClick={save}>
          {text.download}
        </Button>
        <Button look="primary" disabled={!isKept} onClick={onDone}>
          {text.done}
        </Button>
      </div>
    </div>
  )
}
