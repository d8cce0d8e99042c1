// How long tests wait: however busy the machine is, what is on its way arrives.

/** Only who waits in vain waits for so long. */
export const PATIENCE_MS = 120_000

/** Of a store of facts for tests that append one thing after the other. */
export const ownWaits = { lingerMs: 5, patienceMs: PATIENCE_MS }
