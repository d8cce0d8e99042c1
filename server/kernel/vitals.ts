// What is measured of a page: the names that browsers, facts and answers share.
export const vitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
export type Vital = (typeof vitals)[number]
