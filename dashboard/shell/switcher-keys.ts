/** Digits for the first ten: 1 to 9 and 0. */
export const keyOf = (index: number): string | undefined =>
  index >= 0 && index < 10 ? String((index + 1) % 10) : undefined
