// The three calls of the form flow, as docs/api/forms.md has them. None of them throws, rejects or takes for ever.
import { ask } from '../shared/send.ts'
import { version } from '../shared/version.ts'
import { signatureOf } from './signature.ts'

export interface Opened {
  readonly error_type: false | number
  readonly message: string | null
  readonly token: string
  /** Name of the honeypot. */
  readonly hp: string
  readonly branding: string | false
  readonly branding_link: string
}

export type Errors = Readonly<Record<string, readonly string[]>>

/** What validate and process say. */
export interface Checked {
  readonly validated?: boolean
  readonly errors?: Errors | null
  /** Success HTML, sanitised by the service. */
  readonly ty?: string
  readonly original?: object
  /** The status of a refusal. */
  readonly code?: number
  readonly message?: string
}

export interface Caller {
  /** Address of the service. */
  readonly base: string
  /** Id of the visitor's session, when it is known. */
  readonly session: () => string | null | undefined
}

/** @param key what the call is signed with. @returns null when there is no answer. */
export function call<T>({ base, session }: Caller, key: string, step: string, body: object): Promise<T | null> {
  // A visitor who waits for longer than this has given up.
  const longestMs = 15_000
  const patience = new AbortController()
  setTimeout(() => patience.abort(), longestMs)
  const signature = signatureOf(key) as unknown as string
  return ask<T>(`${base}/v2/form/${key}/${step}`, {
    method: 'POST',
    // Each step looks at its own signature, and an empty id is none.
    headers: {
      'X-SVC-LIB': `form/${version}`,
      'X-SVC-FORM': signature,
      'X-SVC-SESSION': signature,
      'X-SVC-SID': session() || '',
    },
    body: JSON.stringify(body),
    signal: patience.signal,
  })
}
