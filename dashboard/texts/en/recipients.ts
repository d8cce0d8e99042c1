// About people who get an email: a part of the texts of each page that names some.

export const recipients = {
  unsubscribed: (emails: readonly string[]) =>
    `Unsubscribed: ${emails.join(', ')}. They get no email until they subscribe again, by the link in one they have.`,
  failed: (email: string, error: string) => `The last email to ${email} was not delivered: ${error}`,
  missing: (settings: readonly string[]) =>
    `Email is not set up yet: an owner of the installation sets ${settings.join(' and ')}. Until then nothing is sent.`,
} as const
