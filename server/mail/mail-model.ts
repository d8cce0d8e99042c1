// What a mail is on its way: its kind, its state, and what stands in it until it is sent.

export const kinds = [
  'test',
  'invitation',
  'reset',
  'new_sign_in',
  'submission',
  'digest',
  'confirmation',
  'automation_off',
  'tracking_stopped',
  'list_confirmation',
  'report',
  'alert',
] as const
export type MailKind = (typeof kinds)[number]

export const states = ['pending', 'sent', 'failed', 'erased'] as const
export type MailState = (typeof states)[number]

/** Made when the mail is enqueued, and never again: every attempt sends the same. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo?: string | undefined
  /** With one click (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined
}
