// The three calls of the form flow (docs/api/forms.md). None throws, rejects or waits forever.
import type { Errors } from '../filling.ts'
import { post } from './post.ts'
import { signatureOf } from './signature.ts'

/** What the library itself tells visitors. */
export interface Texts {
  readonly sent: string
  readonly failed: string
  readonly too_long: string
}

export interface Opened {
  /** Undefined when the service is too busy to answer. */
  readonly error_type: false | number | undefined
  readonly message: string | null
  readonly token: string
  /** Name of the honeypot. */
  readonly hp: string
  readonly branding: string | false
  readonly branding_link: string
  /** In the visitor's language; left out in English. */
  readonly texts?: Texts
  /** The status of a refusal that is not about the form. */
  readonly code?: number
}

/** The answers of validate and process. */
export interface Checked {
  readonly validated?: boolean
  readonly errors?: Errors | null
  /** Success HTML, sanitised by the service. */
  readonly ty?: string
  /** Where the form sends its visitors. */
  readonly redirect_url?: string
  readonly original?: object
  /** The status of a refusal. */
  readonly code?: number
  readonly message?: string | null
  /** Of init, when no form session could be opened. */
  readonly error_type?: false | number | undefined
}

export interface Caller {
  /** Address of the service. */
  readonly base: string
  /** Id of the visitor's session, when it is known. */
  readonly session: () => string | null | undefined
}

/**
 * @param key signs the call. @param body sent as JSON; `init` in it replaces parts of the request instead.
 * @param patience aborts it. @returns null when there is no answer.
 */
export function call<T>(
  { base, session }: Caller,
  key: string,
  step: string,
  body: object & { readonly init?: RequestInit },
  patience = new AbortController(),
): Promise<T | null> {
  // A visitor who waits longer has given up.
  const longestMs = 15_000
  setTimeout(() => patience.abort(), longestMs)
  const signature = signatureOf(key) as unknown as string
  // Without keepalive, which browsers limit to 64 KiB at a time.
  return post<T>(`${base}/v2/form/${encodeURIComponent(key)}/${step}`, body, {
    // Each step reads its own signature header, and ignores an empty id.
    headers: {
      'X-SVC-LIB': `form/${LIBRARY_VERSION}`,
      'X-SVC-FORM': signature,
      'X-SVC-SESSION': signature,
      'X-SVC-SID': session() || '',
    },
    signal: patience.signal,
    ...body.init,
  })
}
