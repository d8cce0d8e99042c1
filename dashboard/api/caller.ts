// What the service sees of this browser.
import { get } from '../api.ts'

/** Null where it cannot be told, as behind some proxies. */
export const readOwnIp = async (signal?: AbortSignal): Promise<string | null> =>
  (await get<{ readonly ip: string | null }>('/v2/ping-me', { signal })).ip
