// About people who get an email: a part of the texts of each page that names some.

export const recipients = {
  unsubscribed: (emails: readonly string[]) =>
    `Unsubscribed: ${emails.join(', ')}. They won’t get emails until they resubscribe with the link in an earlier one.`,
  failed: (email: string, error: string) => `The last email to ${email} was not delivered: ${error}`,
  missing: (settings: readonly string[]) =>
    `Email isn’t set up, so nothing is sent. An owner of the installation needs to set ${settings.join(' and ')}.`,
} as const
