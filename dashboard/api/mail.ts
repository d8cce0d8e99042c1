// Mail: whether it is set up, what was sent, and a test.
import { get, type Page, post } from '../api.ts'
import type { MailState as State } from '../../server/mail/mail-model.ts'
import type { MailJson as Mail, MailStatusJson as MailStatus } from '../../server/mail/schema.ts'

export type { Mail, MailStatus, State }
export const states = ['pending', 'sent', 'failed', 'erased'] as const satisfies readonly State[]
export const MAILS_PER_PAGE = 25

export const getMailStatus = (signal?: AbortSignal): Promise<MailStatus> => get('/manage/mail', { signal })
export const listMails = (
  asked: { readonly state: State | null; readonly page: number },
  signal?: AbortSignal,
): Promise<Page<Mail>> =>
  get('/manage/mail/messages', {
    query: { page: asked.page, per_page: MAILS_PER_PAGE, ...(asked.state && { state: asked.state }) },
    signal,
  })
export const sendTestMail = (to: string): Promise<unknown> => post('/manage/mail/test', { to })
