// The words of English that change with a number.
import { pluralOf } from '../plural.ts'

export const plural = pluralOf('en')
