// Races with a deletion: a write may refer to a row that was deleted after it was read. The constraint
// decides.
import type { Problem } from '../kernel/problem.ts'
import { isForeignKeyViolation } from './records.ts'

/** The result of the write. @throws `notFound()` when a row that it refers to is gone. */
export async function orNotFound<Result>(write: Promise<Result>, notFound: () => Problem): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw isForeignKeyViolation(error) ? notFound() : error
  }
}
