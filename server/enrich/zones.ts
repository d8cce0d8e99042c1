// The time zone of a place: that of the nearest city of its country in IANA's table. Near a border between
// two zones of one country it may be the neighbour's: IANA names one city a zone, `moreCities` 161
// more. From zone.tab of the
// IANA time zone database, release 2025b (public domain, https://www.iana.org/time-zones): country, zone, and
// where a country has several zones, latitude and longitude of their cities in degrees.
import type { Place } from './geo.ts'

const table = `
AD Europe/Andorra; AE Asia/Dubai; AF Asia/Kabul; AG America/Antigua; AI America/Anguilla; AL Europe/Tirane
AM Asia/Yerevan; AO Africa/Luanda; AQ Antarctica/McMurdo -77.8 166.6; AQ Antarctica/Casey -66.3 110.5
AQ Antarctica/Davis -68.6 78; AQ Antarctica/DumontDUrville -66.7 140; AQ Antarctica/Mawson -67.6 62.9
AQ Antarctica/Palmer -64.8 -64.1; AQ Antarctica/Rothera -67.6 -68.1; AQ Antarctica/Syowa -69 39.6
AQ Antarctica/Troll -72 2.5; AQ Antarctica/Vostok -78.4 106.9; AR America/Argentina/Buenos_Aires -34.6 -58.5
AR America/Argentina/Cordoba -31.4 -64.2; AR America/Argentina/Salta -24.8 -65.4
AR America/Argentina/Jujuy -24.2 -65.3; AR America/Argentina/Tucuman -26.8 -65.2
AR America/Argentina/Catamarca -28.5 -65.8; AR America/Argentina/La_Rioja -29.4 -66.8
AR America/Argentina/San_Juan -31.5 -68.5; AR America/Argentina/Mendoza -32.9 -68.8
AR America/Argentina/San_Luis -33.3 -66.3; AR America/Argentina/Rio_Gallegos -51.6 -69.2
AR America/Argentina/Ushuaia -54.8 -68.3; AS Pacific/Pago_Pago; AT Europe/Vienna
AU Australia/Lord_Howe -31.6 159.1; AU Antarctica/Macquarie -54.5 158.9; AU Australia/Hobart -42.9 147.3
AU Australia/Melbourne -37.8 145; AU Australia/Sydney -33.9 151.2; AU Australia/Broken_Hill -31.9 141.4
AU Australia/Brisbane -27.5 153; AU Australia/Lindeman -20.3 149; AU Australia/Adelaide -34.9 138.6
AU Australia/Darwin -12.5 130.8; AU Australia/Perth -31.9 115.8; AU Australia/Eucla -31.7 128.9
AW America/Aruba; AX Europe/Mariehamn; AZ Asia/Baku; BA Europe/Sarajevo; BB America/Barbados; BD Asia/Dhaka
BE Europe/Brussels; BF Africa/Ouagadougou; BG Europe/Sofia; BH Asia/Bahrain; BI Africa/Bujumbura
BJ Africa/Porto-Novo; BL America/St_Barthelemy; BM Atlantic/Bermuda; BN Asia/Brunei; BO America/La_Paz
BQ America/Kralendijk; BR America/Noronha -3.9 -32.4; BR America/Belem -1.4 -48.5
BR America/Fortaleza -3.7 -38.5; BR America/Recife -8.1 -34.9; BR America/Araguaina -7.2 -48.2
BR America/Maceio -9.7 -35.7; BR America/Bahia -13 -38.5; BR America/Sao_Paulo -23.5 -46.6
BR America/Campo_Grande -20.4 -54.6; BR America/Cuiaba -15.6 -56.1; BR America/Santarem -2.4 -54.9
BR America/Porto_Velho -8.8 -63.9; BR America/Boa_Vista 2.8 -60.7; BR America/Manaus -3.1 -60
BR America/Eirunepe -6.7 -69.9; BR America/Rio_Branco -10 -67.8; BS America/Nassau; BT Asia/Thimphu
BW Africa/Gaborone; BY Europe/Minsk; BZ America/Belize; CA America/St_Johns 47.6 -52.7
CA America/Halifax 44.6 -63.6; CA America/Glace_Bay 46.2 -60; CA America/Moncton 46.1 -64.8
CA America/Goose_Bay 53.3 -60.4; CA America/Blanc-Sablon 51.4 -57.1; CA America/Toronto 43.6 -79.4
CA America/Iqaluit 63.7 -68.5; CA America/Atikokan 48.8 -91.6; CA America/Winnipeg 49.9 -97.2
CA America/Resolute 74.7 -94.8; CA America/Rankin_Inlet 62.8 -92.1; CA America/Regina 50.4 -104.7
CA America/Swift_Current 50.3 -107.8; CA America/Edmonton 53.5 -113.5; CA America/Cambridge_Bay 69.1 -105.1
CA America/Inuvik 68.3 -133.7; CA America/Creston 49.1 -116.5; CA America/Dawson_Creek 55.8 -120.2
CA America/Fort_Nelson 58.8 -122.7; CA America/Whitehorse 60.7 -135.1; CA America/Dawson 64.1 -139.4
CA America/Vancouver 49.3 -123.1; CC Indian/Cocos; CD Africa/Kinshasa -4.3 15.3
CD Africa/Lubumbashi -11.7 27.5; CF Africa/Bangui; CG Africa/Brazzaville; CH Europe/Zurich; CI Africa/Abidjan
CK Pacific/Rarotonga; CL America/Santiago -33.5 -70.7; CL America/Coyhaique -45.6 -72.1
CL America/Punta_Arenas -53.1 -70.9; CL Pacific/Easter -27.1 -109.4; CM Africa/Douala
CN Asia/Shanghai 31.2 121.5; CN Asia/Urumqi 43.8 87.6; CO America/Bogota; CR America/Costa_Rica
CU America/Havana; CV Atlantic/Cape_Verde; CW America/Curacao; CX Indian/Christmas; CY Asia/Nicosia 35.2 33.4
CY Asia/Famagusta 35.1 34; CZ Europe/Prague; DE Europe/Berlin 52.5 13.4; DE Europe/Busingen 47.7 8.7
DJ Africa/Djibouti; DK Europe/Copenhagen; DM America/Dominica; DO America/Santo_Domingo; DZ Africa/Algiers
EC America/Guayaquil -2.2 -79.8; EC Pacific/Galapagos -0.9 -89.6; EE Europe/Tallinn; EG Africa/Cairo
EH Africa/El_Aaiun; ER Africa/Asmara; ES Europe/Madrid 40.4 -3.7; ES Africa/Ceuta 35.9 -5.3
ES Atlantic/Canary 28.1 -15.4; ET Africa/Addis_Ababa; FI Europe/Helsinki; FJ Pacific/Fiji; FK Atlantic/Stanley
FM Pacific/Chuuk 7.4 151.8; FM Pacific/Pohnpei 7 158.2; FM Pacific/Kosrae 5.3 163; FO Atlantic/Faroe
FR Europe/Paris; GA Africa/Libreville; GB Europe/London; GD America/Grenada; GE Asia/Tbilisi
GF America/Cayenne; GG Europe/Guernsey; GH Africa/Accra; GI Europe/Gibraltar; GL America/Nuuk 64.2 -51.7
GL America/Danmarkshavn 76.8 -18.7; GL America/Scoresbysund 70.5 -22; GL America/Thule 76.6 -68.8
GM Africa/Banjul; GN Africa/Conakry; GP America/Guadeloupe; GQ Africa/Malabo; GR Europe/Athens
GS Atlantic/South_Georgia; GT America/Guatemala; GU Pacific/Guam; GW Africa/Bissau; GY America/Guyana
HK Asia/Hong_Kong; HN America/Tegucigalpa; HR Europe/Zagreb; HT America/Port-au-Prince; HU Europe/Budapest
ID Asia/Jakarta -6.2 106.8; ID Asia/Pontianak -0 109.3; ID Asia/Makassar -5.1 119.4
ID Asia/Jayapura -2.5 140.7; IE Europe/Dublin; IL Asia/Jerusalem; IM Europe/Isle_of_Man; IN Asia/Kolkata
IO Indian/Chagos; IQ Asia/Baghdad; IR Asia/Tehran; IS Atlantic/Reykjavik; IT Europe/Rome; JE Europe/Jersey
JM America/Jamaica; JO Asia/Amman; JP Asia/Tokyo; KE Africa/Nairobi; KG Asia/Bishkek; KH Asia/Phnom_Penh
KI Pacific/Tarawa 1.4 173; KI Pacific/Kanton -2.8 -171.7; KI Pacific/Kiritimati 1.9 -157.3; KM Indian/Comoro
KN America/St_Kitts; KP Asia/Pyongyang; KR Asia/Seoul; KW Asia/Kuwait; KY America/Cayman
KZ Asia/Almaty 43.2 77; KZ Asia/Qyzylorda 44.8 65.5; KZ Asia/Qostanay 53.2 63.6; KZ Asia/Aqtobe 50.3 57.2
KZ Asia/Aqtau 44.5 50.3; KZ Asia/Atyrau 47.1 51.9; KZ Asia/Oral 51.2 51.4; LA Asia/Vientiane; LB Asia/Beirut
LC America/St_Lucia; LI Europe/Vaduz; LK Asia/Colombo; LR Africa/Monrovia; LS Africa/Maseru; LT Europe/Vilnius
LU Europe/Luxembourg; LV Europe/Riga; LY Africa/Tripoli; MA Africa/Casablanca; MC Europe/Monaco
MD Europe/Chisinau; ME Europe/Podgorica; MF America/Marigot; MG Indian/Antananarivo
MH Pacific/Majuro 7.2 171.2; MH Pacific/Kwajalein 9.1 167.3; MK Europe/Skopje; ML Africa/Bamako
MM Asia/Yangon; MN Asia/Ulaanbaatar 47.9 106.9; MN Asia/Hovd 48 91.7; MO Asia/Macau; MP Pacific/Saipan
MQ America/Martinique; MR Africa/Nouakchott; MS America/Montserrat; MT Europe/Malta; MU Indian/Mauritius
MV Indian/Maldives; MW Africa/Blantyre; MX America/Mexico_City 19.4 -99.2; MX America/Cancun 21.1 -86.8
MX America/Merida 21 -89.6; MX America/Monterrey 25.7 -100.3; MX America/Matamoros 25.8 -97.5
MX America/Chihuahua 28.6 -106.1; MX America/Ciudad_Juarez 31.7 -106.5; MX America/Ojinaga 29.6 -104.4
MX America/Mazatlan 23.2 -106.4; MX America/Bahia_Banderas 20.8 -105.2; MX America/Hermosillo 29.1 -111
MX America/Tijuana 32.5 -117; MY Asia/Kuala_Lumpur 3.2 101.7; MY Asia/Kuching 1.6 110.3; MZ Africa/Maputo
NA Africa/Windhoek; NC Pacific/Noumea; NE Africa/Niamey; NF Pacific/Norfolk; NG Africa/Lagos
NI America/Managua; NL Europe/Amsterdam; NO Europe/Oslo; NP Asia/Kathmandu; NR Pacific/Nauru; NU Pacific/Niue
NZ Pacific/Auckland -36.9 174.8; NZ Pacific/Chatham -44 -176.6; OM Asia/Muscat; PA America/Panama
PE America/Lima; PF Pacific/Tahiti -17.5 -149.6; PF Pacific/Marquesas -9 -139.5
PF Pacific/Gambier -23.1 -134.9; PG Pacific/Port_Moresby -9.5 147.2; PG Pacific/Bougainville -6.2 155.6
PH Asia/Manila; PK Asia/Karachi; PL Europe/Warsaw; PM America/Miquelon; PN Pacific/Pitcairn
PR America/Puerto_Rico; PS Asia/Gaza 31.5 34.5; PS Asia/Hebron 31.5 35.1; PT Europe/Lisbon 38.7 -9.1
PT Atlantic/Madeira 32.6 -16.9; PT Atlantic/Azores 37.7 -25.7; PW Pacific/Palau; PY America/Asuncion
QA Asia/Qatar; RE Indian/Reunion; RO Europe/Bucharest; RS Europe/Belgrade; RU Europe/Kaliningrad 54.7 20.5
RU Europe/Moscow 55.8 37.6; RU Europe/Kirov 58.6 49.6; RU Europe/Volgograd 48.7 44.4
RU Europe/Astrakhan 46.4 48; RU Europe/Saratov 51.6 46; RU Europe/Ulyanovsk 54.3 48.4
RU Europe/Samara 53.2 50.1; RU Asia/Yekaterinburg 56.9 60.6; RU Asia/Omsk 55 73.4; RU Asia/Novosibirsk 55 82.9
RU Asia/Barnaul 53.4 83.8; RU Asia/Tomsk 56.5 85; RU Asia/Novokuznetsk 53.8 87.1; RU Asia/Krasnoyarsk 56 92.8
RU Asia/Irkutsk 52.3 104.3; RU Asia/Chita 52 113.5; RU Asia/Yakutsk 62 129.7; RU Asia/Khandyga 62.7 135.6
RU Asia/Vladivostok 43.2 131.9; RU Asia/Ust-Nera 64.6 143.2; RU Asia/Magadan 59.6 150.8
RU Asia/Sakhalin 47 142.7; RU Asia/Srednekolymsk 67.5 153.7; RU Asia/Kamchatka 53 158.7
RU Asia/Anadyr 64.8 177.5; UA Europe/Simferopol 45 34.1; UA Europe/Kyiv 50.4 30.5; RW Africa/Kigali
SA Asia/Riyadh; SB Pacific/Guadalcanal; SC Indian/Mahe; SD Africa/Khartoum; SE Europe/Stockholm
SG Asia/Singapore; SH Atlantic/St_Helena; SI Europe/Ljubljana; SJ Arctic/Longyearbyen; SK Europe/Bratislava
SL Africa/Freetown; SM Europe/San_Marino; SN Africa/Dakar; SO Africa/Mogadishu; SR America/Paramaribo
SS Africa/Juba; ST Africa/Sao_Tome; SV America/El_Salvador; SX America/Lower_Princes; SY Asia/Damascus
SZ Africa/Mbabane; TC America/Grand_Turk; TD Africa/Ndjamena; TF Indian/Kerguelen; TG Africa/Lome
TH Asia/Bangkok; TJ Asia/Dushanbe; TK Pacific/Fakaofo; TL Asia/Dili; TM Asia/Ashgabat; TN Africa/Tunis
TO Pacific/Tongatapu; TR Europe/Istanbul; TT America/Port_of_Spain; TV Pacific/Funafuti; TW Asia/Taipei
TZ Africa/Dar_es_Salaam; UG Africa/Kampala; UM Pacific/Midway 28.2 -177.4; UM Pacific/Wake 19.3 166.6
US America/New_York 40.7 -74; US America/Detroit 42.3 -83; US America/Kentucky/Louisville 38.3 -85.8
US America/Kentucky/Monticello 36.8 -84.8; US America/Indiana/Indianapolis 39.8 -86.2
US America/Indiana/Vincennes 38.7 -87.5; US America/Indiana/Winamac 41.1 -86.6
US America/Indiana/Marengo 38.4 -86.3; US America/Indiana/Petersburg 38.5 -87.3
US America/Indiana/Vevay 38.7 -85.1; US America/Chicago 41.9 -87.7; US America/Indiana/Tell_City 38 -86.8
US America/Indiana/Knox 41.3 -86.6; US America/Menominee 45.1 -87.6
US America/North_Dakota/Center 47.1 -101.3; US America/North_Dakota/New_Salem 46.8 -101.4
US America/North_Dakota/Beulah 47.3 -101.8; US America/Denver 39.7 -105; US America/Boise 43.6 -116.2
US America/Phoenix 33.4 -112.1; US America/Los_Angeles 34.1 -118.2; US America/Anchorage 61.2 -149.9
US America/Juneau 58.3 -134.4; US America/Sitka 57.2 -135.3; US America/Metlakatla 55.1 -131.6
US America/Yakutat 59.5 -139.7; US America/Nome 64.5 -165.4; US America/Adak 51.9 -176.7
US Pacific/Honolulu 21.3 -157.9; UY America/Montevideo; UZ Asia/Samarkand 39.7 66.8
UZ Asia/Tashkent 41.3 69.3; VA Europe/Vatican; VC America/St_Vincent; VE America/Caracas; VG America/Tortola
VI America/St_Thomas; VN Asia/Ho_Chi_Minh; VU Pacific/Efate; WF Pacific/Wallis; WS Pacific/Apia; YE Asia/Aden
YT Indian/Mayotte; ZA Africa/Johannesburg; ZM Africa/Lusaka; ZW Africa/Harare
`

/**
 * Large cities besides the one of each zone, where the nearest of those has another time: one line per zone.
 */
const moreCities = `
US America/Los_Angeles 47.6 -122.3 47.7 -117.4 45.5 -122.7 44.1 -121.3 45.7 -118.8 39.5 -119.8 36.2 -115.1 40.8 -115.8 37.8 -122.4 47.7 -116.8 46.4 -117 46.3 -119.3 32.7 -115.5
US America/Denver 40.8 -111.9 35.1 -106.7 31.8 -106.5 45.8 -108.5 46.9 -114 44.1 -103.2 41.1 -104.8 37.1 -113.6 36.7 -108.2
US America/Chicago 32.8 -96.8 29.8 -95.4 29.4 -98.5 32 -102.1 35.2 -101.8 33.6 -101.9 26.2 -98.2 35.5 -97.5 37.7 -97.3 37.8 -100 39.1 -94.6 41.3 -96 41.1 -100.8 45 -93.3 46.9 -96.8 43.5 -96.7 44.4 -100.4 41.6 -93.6 43 -87.9 44.5 -88 46.8 -92.1 38.6 -90.2 39.8 -89.7 37.7 -89.2 38 -87.6 35.1 -90 36.2 -86.8 37 -86.4 34.7 -86.6 33.5 -86.8 32.4 -86.3 30.7 -88 31.2 -85.4 30.4 -87.2 30.2 -85.7 30 -90.1 32.5 -93.8 32.3 -90.2 34.7 -92.3 37.2 -93.3 44.9 -89.6 32.6 -85.5 39.5 -88.4 36.2 -85.5
US America/New_York 33.7 -84.4 32.5 -85 30.4 -84.3 25.8 -80.2 35 -85.3 36 -83.9 39.1 -84.5 41.5 -81.7 35.2 -80.8 28 -82.5 40.4 -80 38 -84.5 40 -83 31.6 -84.2
US America/Detroit 43 -85.7 42.3 -85.6 44.8 -85.6 46.5 -87.4 46.5 -84.3
US America/Phoenix 32.2 -110.9 35.2 -111.7 32.7 -114.6 35.2 -114
CA America/Toronto 45.5 -73.6 46.8 -71.2 46.5 -81 48.4 -89.2 48.4 -68.5 48.8 -64.5 50.2 -66.4 48.5 -81.3
CA America/Winnipeg 49.8 -94.5 49.8 -99.9; CA America/Edmonton 51 -114.1 55.2 -118.8 56.7 -111.4
CA America/Vancouver 49.9 -119.5 53.9 -122.7 50.7 -120.3; CA America/Regina 52.1 -106.6
BR America/Sao_Paulo -22.9 -43.2 -15.8 -47.9 -22.9 -47.1 -20.8 -49.4 -22.1 -51.4 -23.3 -51.2 -23.4 -51.9 -25.5 -54.6 -25 -53.5 -30 -51.2 -16.7 -49.3 -18.9 -48.3 -17.8 -50.9 -19.9 -43.9 -27.1 -52.6 -29.8 -57.1
BR America/Campo_Grande -22.2 -54.8 -20.8 -51.7; BR America/Cuiaba -16.5 -54.6 -11.9 -55.5
BR America/Belem -5.4 -49.1 0 -51.1
CN Asia/Shanghai 39.9 116.4 36.1 103.8 36.6 101.8 30.7 104.1 25 102.7 39.7 98.5 40.1 94.7 29.7 91.1 36.4 94.9
US America/Indiana/Indianapolis 41.7 -86.2; CA America/St_Johns 48.9 -58
RU Europe/Moscow 56.3 44 55.8 49.2 52.7 41.4 51.7 39.2 55.7 52.4 43 44.7 44 43 43 47.5 64.5 40.5
RU Asia/Yekaterinburg 51.8 55.1 60.9 76.6 54.7 56 58 56.2; RU Asia/Vladivostok 48.5 135.1
RU Asia/Yakutsk 50.3 127.5; CL America/Santiago -39.8 -73.2 -41.5 -72.9
UA Europe/Kyiv 48.5 35 46.5 30.7 46.6 32.6 50 36.2; XK Europe/Belgrade 42.7 21.2
`

type Degrees = Pick<Place, 'lat' | 'lon'>
/** The direction of a place from the centre of the earth, as a unit vector. */
type Direction = readonly [x: number, y: number, z: number]

interface ZoneCity {
  readonly country: string
  readonly zone: string
  readonly direction: Direction
}

const citiesByCountry: ReadonlyMap<string, readonly ZoneCity[]> = Map.groupBy(
  `${table.trim()}\n${moreCities.trim()}`.split(/; |\n/).flatMap(readLine),
  ({ country }) => country,
)

function readLine(line: string): ZoneCity[] {
  const [country = '', zone = '', lat = 0, lon = 0, ...more] = line.split(' ')
  const city = { country, zone, direction: directionOf(Number(lat), Number(lon)) }
  return more.length === 0 ? [city] : [city, ...readLine(`${country} ${zone} ${more.join(' ')}`)]
}

function directionOf(lat: number, lon: number): Direction {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

/** The cosine of the angle between two directions: 1 for the same one. */
const closeness = (a: Direction, b: Direction): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/**
 * @param country ISO 3166 alpha-2.
 * @returns the IANA name; '' for a country that the table does not have, or that has several zones when only
 * the country is known.
 */
export function findZone(country: string, { lat, lon }: Degrees): string {
  const cities = citiesByCountry.get(country) ?? []
  if (cities.length === 1) return cities[0]!.zone
  if (lat === null || lon === null) return ''
  const at = directionOf(lat, lon)
  let best: ZoneCity | undefined
  for (const city of cities) if (!best || closeness(city.direction, at) > closeness(best.direction, at)) best = city
  return best?.zone ?? ''
}
