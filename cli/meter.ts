// How far a long command is, on standard error: a bar where one can be drawn, else a line now and then.
import { SingleBar } from 'cli-progress'

export interface Meter {
  show(done: number): void
  stop(): void
}

/** Between two lines where no bar can be drawn. */
const LINE_EVERY_MS = 10_000

function openBar(unit: string, total: number): Meter {
  const bar = new SingleBar({
    format: `{bar} {percentage}% · {value} of {total} ${unit} · {rate}/s · {eta_formatted} left`,
    fps: 5,
  })
  const startMs = performance.now()
  bar.start(total, 0, { rate: 0 })
  return {
    show: (done) => bar.update(done, { rate: Math.round((done * 1000) / (performance.now() - startMs)) }),
    stop: () => bar.stop(),
  }
}

/** For logs, where a bar would be a heap of control characters. */
function openLines(unit: string, total: number): Meter {
  const startMs = performance.now()
  let nextMs = startMs + LINE_EVERY_MS
  return {
    show(done) {
      const nowMs = performance.now()
      if (nowMs < nextMs) return
      nextMs = nowMs + LINE_EVERY_MS
      process.stderr.write(`${done} of ${total} ${unit}, ${Math.round((done * 1000) / (nowMs - startMs))}/s\n`)
    },
    stop: () => undefined,
  }
}

export function openMeter(unit: string, total: number, isDrawn: boolean): Meter {
  return isDrawn ? openBar(unit, total) : openLines(unit, total)
}
