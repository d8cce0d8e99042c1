// The part of autocannon that the bench uses; the package brings no types.
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      method?: 'GET' | 'POST'
      path?: string
      headers?: Record<string, string>
      body?: string
      onResponse?: (status: number, body: string) => void
    }
    interface Result {
      readonly requests: { readonly average: number; readonly total: number }
      readonly latency: { readonly p50: number; readonly p99: number }
      readonly errors: number
      /** Seconds. */
      readonly duration: number
      readonly '2xx': number
    }
  }
  function autocannon(options: {
    url: string
    connections: number
    /** Seconds. */
    duration?: number
    /** Requests in all; what ends it instead of a time. */
    amount?: number
    setupClient: (client: { setRequests(requests: autocannon.Request[]): void }) => void
  }): Promise<autocannon.Result>
  export default autocannon
}
