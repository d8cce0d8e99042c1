// How answers are kept and asked for again: what fails for a moment is tried again when the service says so, what is wrong is not.
// While the connection is lost (connection.ts) questions stand still, and go on by themselves.
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

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

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH_MS, retry: shouldRetry, retryDelay: waitMs },
    // Without a connection a button says so, instead of doing later what nobody expects any more.
    mutations: { retry: false, networkMode: 'always' },
  },
})

const invalidate = queryClient.invalidateQueries.bind(queryClient)

/**
 * What is still on its way was asked before the change. Where nothing is shown yet the library would take its answer for the one after the
 * change, and show what is no longer so until somebody comes back to the page.
 */
queryClient.invalidateQueries = (filters, options) =>
  notifyManager.batch(() => {
    void queryClient.cancelQueries({
      ...filters,
      fetchStatus: 'fetching',
      predicate: (query) => query.state.data === undefined && (filters?.predicate?.(query) ?? true),
    })
    return invalidate(filters, options)
  })
