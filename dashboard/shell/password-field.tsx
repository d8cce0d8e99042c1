// A password, with an eye to look at what was typed.
import { useState } from 'react'
import { Checkbox, TextField, type TextFieldProps } from '../parts/fields.tsx'
import { entry as text } from '../texts/index.ts'
import styles from './password-field.module.css'

export type PasswordFieldProps = Omit<TextFieldProps, 'type'>

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div className={styles.password}>
      <TextField {...props} type={isShown ? 'text' : 'password'} spellCheck={false} autoCapitalize="off" />
      <Checkbox label={text.showPassword} isOn={isShown} onChange={setShown} />
    </div>
  )
}
