// What a form mails: a part of the texts of forms.
import { recipients } from './recipients.ts'

export const formMail = {
  title: 'Email notifications',
  subtitle:
    'Sent for every new submission, with its answers. Spam is never sent, and suspicious submissions only once you mark them as not spam.',
  who: recipients,
  recipients: 'Recipients',
  recipientsHint: 'One email address per line, with or without an account. Each email has a link to unsubscribe.',
  most: 'Emails per hour',
  mostHint: 'Submissions beyond it are summarized in one email when the hour is over. 0 summarizes every hour.',
  confirmTitle: 'Confirmation email',
  confirmSubtitle: 'A reply to people who submit the form, in your words.',
  confirm: 'Send a confirmation',
  confirmHint:
    'Sent to the email address in the form, at most three per person and day. Not sent for suspicious submissions.',
  subject: 'Subject',
  text: 'Message',
  fields: (names: readonly string[]) =>
    names.length === 0
      ? 'Leave a blank line between paragraphs.'
      : `${names.join(', ')} are replaced with the answers, as plain text. Leave a blank line between paragraphs.`,
  replyTo: 'Replies go to',
  replyToHint: 'Leave empty to use the sender’s email address.',
} as const
