// Who may sign in to this installation: added and removed by its owners, of whom there is always one left.
import { type RandomBytes, randomText } from '../properties/secrets.ts'

const ID_LENGTH = 20

export const newUserId = (randomBytes: RandomBytes): string => `us_${randomText(randomBytes, ID_LENGTH)}`
