// The text of a file that somebody chose.
import { bytes } from './format.ts'

export interface FileWords {
  readonly tooLarge: (size: string) => string
  readonly notText: string
}

/** @throws Error in words for the reader, when the file is too large or not UTF-8. */
export async function textOfFile(file: File, maxBytes: number, words: FileWords): Promise<string> {
  if (file.size > maxBytes) throw new Error(words.tooLarge(bytes(maxBytes)))
  const read = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read)
  } catch {
    throw new Error(words.notText)
  }
}
