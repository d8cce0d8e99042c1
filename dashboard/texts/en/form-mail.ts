// What a form mails: a part of the texts of forms.
import { recipients } from './recipients.ts'

export const formMail = {
  title: 'Email notifications',
  subtitle:
    'Sent for every new submission, with its fields. Never for spam, or for flagged submissions until somebody marks them as good.',
  who: recipients,
  recipients: 'Recipients',
  recipientsHint: (most: number) =>
    `One email address a line, with or without an account. Each email has a link to unsubscribe. After ${most} submissions in an hour, the others are summed up in one email.`,
  confirmTitle: 'Confirmation email',
  confirmSubtitle: 'An answer to whoever sends the form, in your words.',
  confirm: 'Send a confirmation',
  confirmHint: 'Sent to the email address in the form, at most three a day each. Not for suspicious submissions.',
  subject: 'Subject',
  text: 'Message',
  fields: (names: readonly string[]) =>
    names.length === 0
      ? 'Blank lines part paragraphs.'
      : `${names.join(', ')} are replaced by the answers, as one line each and without links. Blank lines part paragraphs.`,
  replyTo: 'Replies go to',
  replyToHint: 'Leave empty to use the sender’s email address.',
} as const
