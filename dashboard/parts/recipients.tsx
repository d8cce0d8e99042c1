// Who gets an email: addresses, one a line, and those who unsubscribed, whom nobody else subscribes again.
import { TextArea } from './fields.tsx'
import { Note } from './states.tsx'

const EXAMPLE = 'team@example.com'

interface Recipient {
  readonly email: string
  readonly state: 'active' | 'unsubscribed'
  readonly last_error: string | null
}

/** As they are shown: one a line, without those who unsubscribed. */
export const recipientLines = (recipients: readonly Recipient[]): string =>
  recipients.flatMap(({ email, state }) => (state === 'active' ? [email] : [])).join('\n')

/** Lines, commas and semicolons: lists are pasted from anywhere. */
export const recipientsIn = (lines: string): string[] => lines.split(/[\s,;]+/).filter((part) => part !== '')

/** What is said about them, by whatever page names some. */
interface RecipientWords {
  readonly unsubscribed: (emails: readonly string[]) => string
  readonly failed: (email: string, error: string) => string
  readonly missing: (settings: readonly string[]) => string
}

export interface RecipientsProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly onChange: (lines: string) => void
  readonly errors: readonly string[]
  readonly recipients: readonly Recipient[]
  readonly words: RecipientWords
}

export function Recipients({ recipients, words, ...field }: RecipientsProps) {
  const gone = recipients.filter(({ state }) => state === 'unsubscribed').map(({ email }) => email)
  const failed = recipients.filter(({ state, last_error }) => state === 'active' && last_error !== null)
  return (
    <>
      <TextArea rows={3} spellCheck={false} autoCapitalize="off" placeholder={EXAMPLE} {...field} />
      {gone.length > 0 && <p>{words.unsubscribed(gone)}</p>}
      {failed.map(({ email, last_error }) => (
        <Note key={email} tone="warn">
          {words.failed(email, last_error ?? '')}
        </Note>
      ))}
    </>
  )
}

/** Where nothing is sent yet, what is missing. */
export function MissingMail({ missing, words }: { missing: readonly string[]; words: RecipientWords }) {
  return missing.length === 0 ? null : <Note tone="warn">{words.missing(missing)}</Note>
}
