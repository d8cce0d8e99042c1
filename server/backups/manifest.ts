// What a backup says of itself: a short summary, and the list of everything in it.

/** A file, cut into pieces. */
export interface StoredFile {
  readonly bytes: number
  /** Names of the pieces, in their order. */
  readonly pieces: readonly string[]
}

/** The files of a part of the facts, one behind the other, cut into pieces. */
export interface StoredPart extends StoredFile {
  readonly table: string
  readonly name: string
  /** The same as long as its files are. */
  readonly identity: string
  readonly files: readonly (readonly [name: string, bytes: number])[]
}

/** The stores that are in a backup; others are on servers. */
export interface Stores {
  readonly facts: boolean
  readonly records: boolean
}

export interface Summary extends Stores {
  /** Sorts by time. */
  readonly id: string
  /** Of the program. */
  readonly version: string
  /** Whatever was acknowledged before then is in it. */
  readonly created_ms: number
  readonly took_ms: number
  /** Of everything that is in it, as it is restored; and of what had to be added. */
  readonly bytes: number
  readonly new_bytes: number
}

export interface Manifest {
  readonly summary: Summary
  readonly fact_migrations: readonly string[]
  /** By their names in DATA_DIR. */
  readonly files: Readonly<Record<string, StoredFile>>
  readonly parts: readonly StoredPart[]
}

export const storedIn = ({ files, parts }: Pick<Manifest, 'files' | 'parts'>): readonly StoredFile[] => [
  ...Object.values(files),
  ...parts,
]
