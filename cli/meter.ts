// The progress of a long command, on standard error: a line that is redrawn on a terminal, else a line now
// and then.

export interface Meter {
  show(done: number): void
  stop(): void
}

/** Often enough to look alive, seldom enough to cost nothing. */
const REDRAWN_EVERY_MS = 200
/** Between two lines where nothing can be redrawn: a log would fill with control characters. */
const LINE_EVERY_MS = 10_000
const BAR_CELLS = 30
const CLEAR_LINE = '\r\x1b[K'

function barOf(done: number, total: number): string {
  const filled = Math.floor((BAR_CELLS * done) / Math.max(total, 1))
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)} ${Math.floor((100 * done) / Math.max(total, 1))}%`
}

export function openMeter(unit: string, total: number, isDrawn: boolean): Meter {
  const startMs = performance.now()
  const everyMs = isDrawn ? REDRAWN_EVERY_MS : LINE_EVERY_MS
  let shownMs = isDrawn ? -Infinity : startMs
  let done = 0

  function print(nowMs: number): void {
    const rate = Math.round((done * 1000) / Math.max(nowMs - startMs, 1))
    const line = `${done} of ${total} ${unit}, ${rate}/s`
    process.stderr.write(isDrawn ? `${CLEAR_LINE}${barOf(Math.min(done, total), total)} · ${line}` : `${line}\n`)
    shownMs = nowMs
  }

  return {
    show(latest) {
      done = latest
      const nowMs = performance.now()
      if (nowMs >= shownMs + everyMs) print(nowMs)
    },
    stop() {
      if (!isDrawn) return
      print(performance.now())
      process.stderr.write('\n')
    },
  }
}

export interface ByteMeter {
  show(doneBytes: number, allBytes: number): void
  stop(): void
}

const MEGABYTE = 1_000_000

/** In megabytes, of how many is known once it has begun. */
export function openByteMeter(): ByteMeter {
  let meter: Meter | undefined
  return {
    show(doneBytes, allBytes) {
      if (allBytes === 0) return
      meter ??= openMeter('MB', Math.ceil(allBytes / MEGABYTE), process.stderr.isTTY)
      meter.show(Math.ceil(doneBytes / MEGABYTE))
    },
    stop: () => meter?.stop(),
  }
}
