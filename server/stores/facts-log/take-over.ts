// What the log of a process that is no more leaves to another one.
import { LogFile, type LogFileOptions } from './file.ts'

/** At once. */
const TAKEN_BYTES = 4 * 1024 * 1024

/**
 * Moves what is in the file of another log, which is then removed; while there is no room, it stays. What a
 * crash in between leaves in both is inserted twice, which changes nothing.
 * @throws Error when the other one is damaged, or another process has it.
 */
export function takeOver(log: LogFile, options: LogFileOptions): void {
  const other = LogFile.open(options)
  try {
    while (log.isRoomLeft()) {
      const { entries } = other.read(0, TAKEN_BYTES)
      if (entries.length === 0) return
      log.append(entries, [])
      const taken = entries.map(({ seq }) => seq)
      other.append([], taken)
    }
  } finally {
    other.close()
  }
}
