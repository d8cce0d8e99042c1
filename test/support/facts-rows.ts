// Rows for tests of facts stores: under properties of their own, with texts that are meant to break
// something.

let properties = 0
/** Nobody else's rows. */
export const freshProperty = (): string => `property${properties++}`

export const hostile = [
  "it's",
  'a"b',
  'a\\b',
  '\\',
  "\\'",
  '\0',
  'x\0y',
  'line\nline',
  '\r\n',
  '\t',
  ';',
  "'; DROP TABLE views; --",
  '{session:UInt64}',
  '\\N',
  'NULL',
  '[]',
  '🎉',
  '\u2028',
  '\ufeff',
  '\u0007',
  '/* */',
  '*/ x /*',
  '%00',
  '$1',
  '\u202eabc',
  'é'.repeat(500),
]
