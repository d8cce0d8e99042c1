// How much a form mails.

/**
 * Told one by one, unless the form says otherwise; more in an hour is a wave that nobody reads singly, and
 * comes as one email.
 */
export const TOLD_AN_HOUR = 10
/** Above it, one form would keep the mail server busy for everybody. */
export const MOST_TOLD_AN_HOUR = 100

/** What a form answers its senders. */
export interface Confirmation {
  readonly is_on: boolean
  /** May hold `%field%`. */
  readonly subject: string
  readonly text: string
  /** '' for none. */
  readonly reply_to: string
}

export const noConfirmation: Confirmation = { is_on: false, subject: '', text: '', reply_to: '' }

/** Of one form; more come from a script, which writes to others by it. */
export const CONFIRMED_AN_HOUR = 60
/** To one inbox, of all forms of all properties: whoever fills in more knows that it works. */
export const CONFIRMED_TO_ONE_A_DAY = 3
