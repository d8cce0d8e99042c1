// What this process sends by itself, webhooks and mail: from the moment it listens until it stops, and not
// while writes are paused, since what was sent could not be noted down.
import type { Context } from './context.ts'
import { type Delivering, openDelivering } from './deliveries/delivering.ts'
import { openMailing } from './mail/mailing.ts'

/** What is on its way ends within it, or is sent again later. */
export interface Sending {
  /** To be called once. */
  start(): Promise<void>
  close(): Promise<void>
}

interface Senders {
  readonly delivering: Delivering
  readonly mailing: ReturnType<typeof openMailing> | undefined
}

export function openSending(context: Context): Sending {
  let senders: Senders | undefined
  let isWanted = false
  let last: Promise<void> = Promise.resolve()

  const begin = async (): Promise<void> => {
    if (senders || !isWanted || context.pause.isOn) return
    const delivering = openDelivering(context)
    await delivering.start()
    // Processes that share a machine share its mail server.
    const mailing = (context.team?.isFirst ?? true) ? openMailing(context) : undefined
    senders = { delivering, mailing }
  }
  const end = async (): Promise<void> => {
    const ending = senders
    senders = undefined
    await Promise.all([ending?.delivering.close(), ending?.mailing?.close()])
  }
  /** One after the other. */
  const next = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work, work)
    return last
  }
  const complain = (error: unknown): void => context.log.error({ err: error }, 'webhooks and mail are not sent')

  context.pause.add({ rest: () => next(end), resume: () => void next(begin).catch(complain) })
  return {
    start() {
      isWanted = true
      return next(begin)
    },
    close() {
      isWanted = false
      return next(end)
    },
  }
}
