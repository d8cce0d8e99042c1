// How answers are cached and refetched: temporary failures are retried when the service says so, errors are
// not. While the connection is lost (connection.ts) questions stand still, and go on by themselves.
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { toastError } from './parts/announce.tsx'

const FRESH_MS = 30_000
const MAX_RETRIES = 3
const MAX_WAIT_MS = 30_000

/** No answer, too many at once, away for a moment. */
const passing = new Set([0, 429, 502, 503, 504])

/** What has not answered for long was waited for long enough. */
function shouldRetry(failures: number, error: Error): boolean {
  if (!(error instanceof ApiError) || error.code === 'timeout') return false
  return failures < MAX_RETRIES && passing.has(error.status)
}

function waitMs(failures: number, error: Error): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  return Math.min(asked === undefined ? 1000 * 2 ** failures : asked * 1000, MAX_WAIT_MS)
}

/**
 * Cancels first requests that are still under way before it invalidates them: they were sent before the
 * change, and the library would take their answers for those after it.
 */
class Client extends QueryClient {
  override invalidateQueries(...[filters, options]: Parameters<QueryClient['invalidateQueries']>): Promise<void> {
    return notifyManager.batch(() => {
      void this.cancelQueries({
        ...filters,
        fetchStatus: 'fetching',
        predicate: (query) => query.state.data === undefined && (filters?.predicate?.(query) ?? true),
      })
      return super.invalidateQueries(filters, options)
    })
  }
}

export const queryClient = new Client({
  defaultOptions: {
    queries: { staleTime: FRESH_MS, retry: shouldRetry, retryDelay: waitMs },
    // Without a connection a button reports it, instead of doing later what nobody expects any more.
    // A toast reports an error where the page has no better place for it.
    mutations: { retry: false, networkMode: 'always', onError: toastError },
  },
})
