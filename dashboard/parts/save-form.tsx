// A form that changes what is stored: one button, which waits until something is changed.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Form, type FormProps } from './form.tsx'

interface SaveFormProps {
  readonly form: FormProps['form'] & { readonly isBusy: boolean; readonly isChanged: boolean }
  /** Of the button. */
  readonly label: string
  /** The button is the first of its page. */
  readonly isPrimary?: boolean
  /** Further buttons, behind it. */
  readonly more?: ReactNode
  readonly children: ReactNode
}

export function SaveForm({ form, label, isPrimary = false, more, children }: SaveFormProps) {
  const actions = (
    <>
      <Button type="submit" look={isPrimary ? 'primary' : 'plain'} isBusy={form.isBusy} isIdle={!form.isChanged}>
        {label}
      </Button>
      {more}
    </>
  )
  return (
    <Form form={form} actions={actions}>
      {children}
    </Form>
  )
}
