// The rates that ship with the program: units of a currency for one US dollar, rounded reference figures for days when none was refreshed.
// `footfall rates refresh` puts exact daily ones beside them in the records.

/** The days of the columns below. A day before the first counts as the first. */
const days = ['2024-01-02', '2024-07-01', '2025-01-02', '2025-07-01', '2026-01-02'] as const

const floating: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  ARS: [808, 912, 1032, 1200, 1460],
  AUD: [1.477, 1.501, 1.612, 1.52, 1.498],
  BDT: [109.8, 117.3, 119.5, 122.5, 122.2],
  BGN: [1.786, 1.822, 1.89, 1.659, 1.668],
  BRL: [4.89, 5.59, 6.19, 5.45, 5.5],
  CAD: [1.331, 1.372, 1.439, 1.362, 1.372],
  CHF: [0.85, 0.903, 0.909, 0.792, 0.793],
  CLP: [880, 945, 995, 930, 905],
  CNY: [7.14, 7.268, 7.299, 7.164, 6.99],
  COP: [3890, 4150, 4400, 4050, 3780],
  CZK: [22.55, 23.36, 24.34, 20.95, 20.6],
  DKK: [6.806, 6.945, 7.207, 6.328, 6.37],
  EGP: [30.9, 48, 50.8, 49.4, 47.6],
  EUR: [0.913, 0.931, 0.966, 0.848, 0.853],
  GBP: [0.787, 0.79, 0.803, 0.728, 0.743],
  HKD: [7.81, 7.81, 7.779, 7.85, 7.79],
  HUF: [349, 368, 400, 339, 328],
  IDR: [15_470, 16_330, 16_190, 16_210, 16_700],
  ILS: [3.62, 3.76, 3.65, 3.37, 3.19],
  INR: [83.3, 83.4, 85.75, 85.6, 90],
  ISK: [136.9, 139.1, 139.7, 121, 125.5],
  JPY: [141.9, 161.3, 157.2, 143.6, 156.8],
  KES: [157, 129, 129.3, 129.2, 129],
  KRW: [1308, 1381, 1466, 1355, 1444],
  KZT: [455, 472, 525, 520, 507],
  LKR: [324, 305, 292.5, 300, 310],
  MXN: [17, 18.3, 20.6, 18.7, 17.9],
  MYR: [4.59, 4.71, 4.48, 4.2, 4.06],
  NGN: [900, 1510, 1540, 1535, 1440],
  NOK: [10.32, 10.65, 11.34, 10.07, 10.07],
  NZD: [1.597, 1.645, 1.787, 1.64, 1.735],
  PEN: [3.7, 3.84, 3.75, 3.55, 3.37],
  PHP: [55.6, 58.6, 57.9, 56.4, 58.9],
  PKR: [281, 278.5, 278.5, 284, 280],
  PLN: [3.98, 4.02, 4.13, 3.6, 3.6],
  RON: [4.54, 4.64, 4.81, 4.3, 4.34],
  RUB: [90.4, 86.5, 110, 78.5, 79],
  SEK: [10.22, 10.6, 11.06, 9.47, 9.21],
  SGD: [1.329, 1.358, 1.37, 1.272, 1.286],
  THB: [34.3, 36.8, 34.3, 32.5, 31.4],
  TRY: [29.7, 32.6, 35.4, 39.8, 43],
  TWD: [30.9, 32.5, 32.9, 29.2, 31.4],
  UAH: [38, 40.5, 42, 41.7, 42.3],
  VND: [24_300, 25_450, 25_450, 26_100, 26_280],
  ZAR: [18.5, 18.3, 18.8, 17.6, 16.5],
}

/** Pegged, slow or seldom seen: one rounded figure for all days. */
const steady: Readonly<Record<string, number>> = {
  AED: 3.6725, AFN: 70, ALL: 90, AMD: 388, ANG: 1.79, AOA: 912, AWG: 1.79, AZN: 1.7, BAM: 1.75, BBD: 2, BHD: 0.376, BIF: 2950, BMD: 1,
  BND: 1.32, BOB: 6.91, BOV: 2.6, BSD: 1, BTN: 85.5, BWP: 13.6, BYN: 3.2, BZD: 2, CDF: 2600, CHE: 0.83, CHW: 0.83, CLF: 0.0245, COU: 10.8,
  CRC: 510, CUP: 24, CVE: 100, DJF: 177.72, DOP: 60, DZD: 133, ERN: 15, ETB: 125, FJD: 2.26, FKP: 0.77, GEL: 2.73, GHS: 12.5, GIP: 0.77,
  GMD: 70, GNF: 8600, GTQ: 7.7, GYD: 209, HNL: 25.5, HTG: 131, IQD: 1310, IRR: 42_000, JMD: 158, JOD: 0.709, KGS: 87, KHR: 4050, KMF: 450,
  KPW: 900, KWD: 0.307, KYD: 0.833, LAK: 21_600, LBP: 89_500, LRD: 190, LSL: 18, LYD: 5, MAD: 9.6, MDL: 17.5, MGA: 4550, MKD: 56, MMK: 2100,
  MNT: 3450, MOP: 8.03, MRU: 39.8, MUR: 46, MVR: 15.4, MWK: 1735, MXV: 2.3, MZN: 63.9, NAD: 18, NIO: 36.7, NPR: 137, OMR: 0.3845, PAB: 1,
  PGK: 4, PYG: 7600, QAR: 3.64, RSD: 106, RWF: 1400, SAR: 3.75, SBD: 8.4, SCR: 14.2, SDG: 600, SHP: 0.77, SLE: 22.7, SOS: 571, SRD: 36.5,
  SSP: 4500, STN: 22.3, SVC: 8.75, SYP: 12_000, SZL: 18, TJS: 10.4, TMT: 3.5, TND: 3.05, TOP: 2.38, TTD: 6.78, TZS: 2580, UGX: 3650, USN: 1,
  UYI: 6.4, UYU: 40.5, UYW: 0.24, UZS: 12_600, VED: 110, VES: 110, VUV: 119, WST: 2.75, XAF: 595, XCD: 2.7, XCG: 1.79, XOF: 595, XPF: 108,
  YER: 245, ZMW: 25, ZWG: 26.7,
}

export interface DatedRate {
  /** YYYY-MM-DD */
  readonly day: string
  readonly currency: string
  readonly perUsd: number
}

export const seedRates: readonly DatedRate[] = [
  { day: days[0], currency: 'USD', perUsd: 1 },
  ...Object.entries(floating).flatMap(([currency, row]) => row.map((perUsd, i) => ({ day: days[i]!, currency, perUsd }))),
  ...Object.entries(steady).map(([currency, perUsd]) => ({ day: days[0], currency, perUsd })),
]
