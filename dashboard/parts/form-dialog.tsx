// A dialog that is a form: its buttons stand at the end of the dialog.
import { type ReactNode, useId } from 'react'
import { common } from '../texts/index.ts'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Form, type FormProps } from './form.tsx'

export interface FormDialogProps extends Omit<DialogProps, 'actions'> {
  readonly form: FormProps['form'] & { readonly isBusy: boolean }
  /** On the button that submits. */
  readonly action: string
  readonly isOff?: boolean | undefined
  /** A button before the others. */
  readonly more?: ReactNode
}

export function FormDialog({ form, action, isOff, more, children, ...dialog }: FormDialogProps) {
  const id = useId()
  const actions = (
    <>
      {more}
      <Button onClick={dialog.onClose}>{common.actions.cancel}</Button>
      <Button type="submit" form={id} look="primary" isBusy={form.isBusy} disabled={isOff}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog {...dialog} actions={actions}>
      <Form form={form} id={id}>
        {children}
      </Form>
    </Dialog>
  )
}
