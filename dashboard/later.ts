// Code that is loaded on demand. While the service is away, loading waits; a newer version is reported only
// if there is one.
import { isServing, whenServing } from './connection.ts'
import { savesData } from './saves-data.ts'
import { waitedFor } from './waiting.ts'

/** The service holds another build than the one that this page was loaded from. */
export class OutdatedError extends Error {
  constructor() {
    super('The dashboard has been updated since it was opened.')
    this.name = 'OutdatedError'
  }
}

const entryOf = (html: string): string | undefined => /assets\/index-[\w-]+\.js/.exec(html)?.[0]

async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
  const entry = entryOf((await answer?.text()) ?? '')
  return entry !== undefined && entryOf(own) !== undefined && entry !== entryOf(own)
}

/**
 * Vite requests a style sheet once: one that failed must be requested again, or the page would lack its
 * styles.
 */
async function loadStylesAgain(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(({ sheet }) => !sheet)
  await Promise.all(
    failed.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement
      const loaded = new Promise((resolve, reject) => {
        again.addEventListener('load', resolve)
        again.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)))
      })
      link.replaceWith(again)
      return loaded
    }),
  )
}

/** Tries again whenever the service is back. What fails while it answers is tried once more, then thrown. */
async function loadSurely<Code>(load: () => Promise<Code>): Promise<Code> {
  let attempt = load
  for (let faults = 0; ;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(await isServing())) await whenServing()
      else if (await isOutdated()) throw new OutdatedError()
      else if (++faults > 1) throw error
      attempt = async () => {
        await loadStylesAgain()
        return load()
      }
    }
  }
}

/** For `lazy`: `lazy(later(() => import('./page.tsx')))`. */
export const later =
  <Code>(load: () => Promise<Code>) =>
  (): Promise<Code> =>
    waitedFor(loadSurely(load))

/** Long after the page has asked for what it shows, or when somebody needs it. */
const QUIET_MS = 2_000

/** For `lazy`, for what people open next: loaded once the page is at rest, to be there when they do. */
export function soon<Code>(load: () => Promise<Code>): () => Promise<Code> {
  if (!savesData()) setTimeout(() => void load().catch(() => undefined), QUIET_MS)
  return later(load)
}
