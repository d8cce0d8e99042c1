// How much random and repeated work a test does: little in `npm test`, which people wait for, and much more
// in `npm run test:long`.

const isLong = process.env['FOOTFALL_TEST_LONG'] === '1'

/** @returns how many rounds, seeds or questions this run is to do. */
export const rounds = (usual: number, long: number): number => (isLong ? long : usual)
