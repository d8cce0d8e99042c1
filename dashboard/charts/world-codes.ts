// ISO 3166 for the map: letters of the countries by number, and places of those that are too small for a
// shape.

/** ISO 3166-1: number, then alpha-2. */
const numbered = `
  004AF 008AL 010AQ 012DZ 024AO 031AZ 032AR 036AU 040AT 044BS 050BD 051AM 056BE 064BT 068BO 070BA 072BW 076BR
  084BZ 090SB 096BN 100BG 104MM 108BI 112BY 116KH 120CM 124CA 140CF 144LK 148TD 152CL 156CN 158TW 170CO 178CG
  180CD 188CR 191HR 192CU 196CY 203CZ 204BJ 208DK 214DO 218EC 222SV 226GQ 231ET 232ER 233EE 238FK 242FJ 246FI
  250FR 260TF 262DJ 266GA 268GE 270GM 275PS 276DE 288GH 300GR 304GL 320GT 324GN 328GY 332HT 340HN 348HU 352IS
  356IN 360ID 364IR 368IQ 372IE 376IL 380IT 384CI 388JM 392JP 398KZ 400JO 404KE 408KP 410KR 414KW 417KG 418LA
  422LB 426LS 428LV 430LR 434LY 440LT 442LU 450MG 454MW 458MY 466ML 478MR 484MX 496MN 498MD 499ME 504MA 508MZ
  512OM 516NA 524NP 528NL 540NC 548VU 554NZ 558NI 562NE 566NG 578NO 586PK 591PA 598PG 600PY 604PE 608PH 616PL
  620PT 624GW 626TL 630PR 634QA 642RO 643RU 646RW 682SA 686SN 688RS 694SL 703SK 704VN 705SI 706SO 710ZA 716ZW
  724ES 728SS 729SD 732EH 740SR 748SZ 752SE 756CH 760SY 762TJ 764TH 768TG 780TT 784AE 788TN 792TR 795TM 800UG
  804UA 807MK 818EG 826GB 834TZ 840US 854BF 858UY 860UZ 862VE 887YE 894ZM`

/** Alpha-2, degrees east and degrees north of the middle of each. */
const placed = `
  AD 2 43, AG -62 17, AI -63 18, AS -170 -14, AW -70 13, AX 20 60, BB -60 13, BH 51 26, BL -63 18, BM -65 32,
  BQ -68 12, CC 97 -12, CK -159 -20, CV -24 16, CW -69 12, CX 106 -11, DM -61 15, FM 155 7, FO -7 62, GD -62 12,
  GF -53 4, GG -3 49, GI -5 36, GP -61 16, GS -36 -55, GU 145 13, HK 114 22, HM 74 -53, IM -5 54, IO 72 -7,
  JE -2 49, KI -167 1, KM 44 -12, KN -63 17, KY -81 19, LC -61 14, LI 10 47, MC 7 44, MF -63 18, MH 170 7,
  MO 114 22, MP 146 16, MQ -61 15, MS -62 17, MT 14 36, MU 58 -20, MV 73 4, NF 168 -29, NR 167 -1, NU -170 -19,
  PF -145 -15, PM -56 47, PN -128 -24, PW 134 7, RE 56 -21, SC 52 -6, SG 104 1, SH -10 -24, SJ 16 78, SM 12 44,
  ST 7 0, SX -63 18, TC -72 22, TK -172 -9, TO -175 -20, TV 179 -8, UM -159 16, VA 12 42, VC -61 13, VG -65 19,
  VI -65 18, WF -177 -14, WS -172 -14, YT 45 -13`

/** Alpha-2 by the number that the shapes have as their id. */
export const codeByNumber: ReadonlyMap<string, string> = new Map(
  numbered
    .trim()
    .split(/\s+/)
    .map((word) => [word.slice(0, 3), word.slice(3)]),
)

export interface SmallPlace {
  readonly code: string
  /** Longitude and latitude. */
  readonly at: readonly [number, number]
}

export const smallPlaces: readonly SmallPlace[] = placed.split(',').map((entry) => {
  const [code = '', east = '', north = ''] = entry.trim().split(/\s+/)
  return { code, at: [Number(east), Number(north)] }
})
