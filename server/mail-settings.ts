// The settings of email, as rows of settings.ts.
import { sender, smtpServer } from './setting-values.ts'

export const mailSettings = {
  SMTP_URL: {
    key: 'smtp',
    type: 'smtp:// or smtps:// URL',
    default: 'no mail is sent',
    fallback: null,
    read: smtpServer,
    sentence:
      'The mail server that sends mail, with user and password: `smtps://user:password@smtp.example.com` (TLS from the start, port 465) or `smtp://user:password@smtp.example.com:587` (STARTTLS is required). `?tls=optional` goes on without TLS where the server does not offer it, `?tls=off` never uses it: for a mail server on this machine alone.',
  },
  MAIL_FROM: {
    key: 'mailFrom',
    type: 'address, or Name <address>',
    default: 'no mail is sent',
    fallback: null,
    read: sender,
    sentence:
      'Whom mail comes from: an address that the mail server may send for, such as `Footfall <footfall@example.com>`.',
  },
} as const
