// Whether a backup can be restored: each piece is read and held against its name, or only looked for.
import type { StoredFile } from './manifest.ts'
import { storedIn } from './manifest.ts'
import type { Repository } from './repository.ts'
import { DamagedError } from './sealing.ts'

export interface Checked {
  readonly id: string
  /** Pieces that it needs, those that were read whole, and ids of those that are missing or damaged. */
  readonly pieces: number
  readonly read: number
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
}

export const isWhole = ({ missing, damaged }: Checked): boolean => missing.length + damaged.length === 0

const lengthOf = (files: readonly StoredFile[]): Map<string, number> => {
  const lengths = new Map<string, number>()
  for (const { bytes, pieces } of files) for (const id of pieces) lengths.set(id, bytes / pieces.length)
  return lengths
}

/**
 * @param mostBytes of pieces that are read, about; records and the secret come first. The others have only to
 *   be there.
 * @throws DamagedError when its list cannot be read.
 */
export async function checkBackup(repository: Repository, id: string, mostBytes: number): Promise<Checked> {
  const manifest = await repository.getBackup(id)
  const there = await repository.pieces()
  const lengths = lengthOf(storedIn(manifest))
  const [missing, damaged]: string[][] = [[], []]
  let [read, left] = [0, mostBytes]
  for (const [piece, bytes] of lengths) {
    if (!there.has(piece)) {
      missing!.push(piece)
      continue
    }
    if (left <= 0) continue
    left -= bytes
    read++
    await repository.getPiece(piece).catch((error: unknown) => {
      if (!(error instanceof DamagedError)) throw error
      damaged!.push(piece)
    })
  }
  return { id, pieces: lengths.size, read, missing: missing!, damaged: damaged! }
}
