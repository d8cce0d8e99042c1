// The settings of email, as rows of settings.ts.
import { sender, smtpServer } from './setting-values.ts'

export const mailSettings = {
  SMTP_URL: {
    key: 'smtp',
    type: 'smtp:// or smtps:// URL',
    default: 'no email is sent',
    fallback: null,
    read: smtpServer,
    sentence:
      'The mail server that sends email, with user and password: `smtps://user:password@smtp.example.com` (TLS from the start, port 465) or `smtp://user:password@smtp.example.com:587` (STARTTLS is required). `?tls=optional` continues without TLS if the server does not offer it. `?tls=off` never uses TLS; use it only for a mail server on the same machine.',
  },
  MAIL_FROM: {
    key: 'mailFrom',
    type: 'address, or Name <address>',
    default: 'no email is sent',
    fallback: null,
    read: sender,
    sentence:
      'The sender of all email. The mail server must be allowed to send for this address, such as `Footfall <footfall@example.com>`.',
  },
} as const
