// The identities of the demo's visitors: invented people of a few countries. Their email addresses are at
// example.com and example.org, which are reserved; their phone numbers are in ranges reserved for fiction.
import type { Weighted } from './catalogue.ts'

export interface Home {
  readonly country: string
  readonly cities: readonly string[]
  readonly firstNames: readonly string[]
  readonly lastNames: readonly string[]
  /** The digits 00 to 99 follow; '' where no range is reserved for fiction. */
  readonly phone: string
}

/** Cities are separated by commas, names by blanks. */
const home = ({ country, phone, cities, firstNames, lastNames }: Readonly<Record<keyof Home, string>>): Home => ({
  country,
  phone,
  cities: cities.split(', '),
  firstNames: firstNames.split(' '),
  lastNames: lastNames.split(' '),
})

export const homes: Weighted<Home> = [
  [
    24,
    home({
      country: 'United States',
      phone: '+1 202 555 01',
      cities: 'Portland, Madison, Savannah, Tucson, Duluth',
      firstNames: 'Abigail Caleb Denise Elijah Faith Jasmine Marcus Naomi Owen Tessa',
      lastNames: 'Abernathy Bellweather Castillo Dawkins Ellery Foxworth Hargrove Kimball Okafor Whitlock',
    }),
  ],
  [
    12,
    home({
      country: 'United Kingdom',
      phone: '+44 20 7946 09',
      cities: 'Bristol, Leeds, Norwich, Glasgow, Cardiff',
      firstNames: 'Alasdair Bronwen Callum Eleri Fiona Gareth Imogen Nigel Rhona Zara',
      lastNames: 'Ashdown Birtwistle Cartwright Dunmore Fairclough Gillespie Hollins Pemberton Rahman Tregenza',
    }),
  ],
  [
    12,
    home({
      country: 'Germany',
      phone: '+49 30 23125 0',
      cities: 'Leipzig, Bremen, Freiburg, Kassel, Potsdam',
      firstNames: 'Anselm Birgit Clemens Dörte Friederike Hauke Jule Konrad Sönke Wiebke',
      lastNames: 'Ahrens Brückner Dietzel Eichhorn Grünwald Hölscher Krämer Lüders Petersen Yıldız',
    }),
  ],
  [
    8,
    home({
      country: 'France',
      phone: '+33 1 99 00 12 ',
      cities: 'Nantes, Dijon, Rennes, Grenoble',
      firstNames: 'Adèle Baptiste Clémence Étienne Fanny Gaspard Inès Léonie Mathurin Yasmine',
      lastNames: 'Auclair Beaumont Chevrier Delorme Fontanel Garnier Lemoine Moreau Sauvage Villard',
    }),
  ],
  [
    6,
    home({
      country: 'Netherlands',
      phone: '',
      cities: 'Utrecht, Groningen, Delft',
      firstNames: 'Anouk Bram Daan Femke Joris Lotte Maartje Pieter Sanne Thijs',
      lastNames: 'Bakema Dijkstra Hoekstra Kuipers Postma Schouten Terpstra Veenstra Wiersma Zijlstra',
    }),
  ],
  [
    6,
    home({
      country: 'Spain',
      phone: '',
      cities: 'Zaragoza, Málaga, Gijón',
      firstNames: 'Álvaro Begoña Candela Diego Elvira Íñigo Lucía Nuria Pablo Rocío',
      lastNames: 'Arroyo Beltrán Carrasco Domínguez Escudero Iglesias Lozano Muñoz Peñalver Salcedo',
    }),
  ],
  [
    6,
    home({
      country: 'Italy',
      phone: '',
      cities: 'Bologna, Trieste, Lecce',
      firstNames: 'Alessia Bruno Chiara Dario Elisa Fabrizio Ginevra Niccolò Ornella Tommaso',
      lastNames: 'Amadori Bellandi Cavalli DeSantis Ferrero Galliani Lombardi Marchetti Pellegrino Zanetti',
    }),
  ],
  [
    5,
    home({
      country: 'Poland',
      phone: '',
      cities: 'Gdynia, Lublin, Wrocław',
      firstNames: 'Agnieszka Błażej Dorota Grzegorz Halina Kacper Łucja Mikołaj Weronika Zbigniew',
      lastNames: 'Adamczyk Brzeziński Cieślak Domagała Gołębiewska Jaworski Kozłowski Michalak Sikora Żuraw',
    }),
  ],
  [
    5,
    home({
      country: 'Sweden',
      phone: '+46 8 465 004 ',
      cities: 'Uppsala, Lund, Umeå',
      firstNames: 'Agneta Björn Ebba Folke Gunilla Håkan Linnéa Ove Sixten Åsa',
      lastNames: 'Ahlgren Bergqvist Dahlberg Ekström Forsberg Hedlund Lindqvist Nyström Sjöberg Åkesson',
    }),
  ],
  [
    6,
    home({
      country: 'Canada',
      phone: '+1 604 555 01',
      cities: 'Halifax, Victoria, Sherbrooke',
      firstNames: 'Annika Benoît Delphine Gavin Heather Liam Maude Noor Sébastien Willa',
      lastNames: 'Arsenault Bouchard Campbell Desrosiers Fraser Gill Lavoie MacLeod Sandhu Tremblay',
    }),
  ],
  [
    5,
    home({
      country: 'Japan',
      phone: '',
      cities: 'Sapporo, Kanazawa, Matsuyama',
      firstNames: 'Akari Daichi Emi Haruto Kaori Mio Naoki Ren Sakura Takumi',
      lastNames: 'Aoyama Fujimoto Hayashida Ishikawa Kuroda Matsuura Nakagawa Okabe Shimizu Yamane',
    }),
  ],
  [
    5,
    home({
      country: 'Brazil',
      phone: '',
      cities: 'Recife, Curitiba, Belém',
      firstNames: 'Aline Caio Débora Érico Fernanda João Lívia Otávio Raquel Thiago',
      lastNames: 'Almeida Barbosa Conceição Drummond Figueiredo Gonçalves Magalhães Nogueira Pinheiro Vasconcelos',
    }),
  ],
  [
    5,
    home({
      country: 'India',
      phone: '',
      cities: 'Pune, Kochi, Mysuru',
      firstNames: 'Aditi Bhaskar Charu Deepak Gayatri Ishaan Lakshmi Nikhil Rukmini Vikram',
      lastNames: 'Acharya Bhatt Chaudhuri Deshpande Gokhale Iyer Kulkarni Menon Rangan Sengupta',
    }),
  ],
]

export const companies: Weighted<string> = [
  [5, 'Alder & Finch Interiors'],
  [5, 'Brightwater Hotels'],
  [4, 'Cobalt Architects'],
  [4, 'Dovetail Joinery'],
  [3, 'Eastgate Library Trust'],
  [3, 'Fernhill Cafés'],
  [3, 'Granary Studios'],
  [2, 'Hollow Oak Theatre'],
  [2, 'Juniper Dental Practice'],
  [2, 'Kestrel Coworking'],
  [1, 'Lighthouse School'],
  [1, 'Meridian Film Sets'],
]

export const jobTitles: Weighted<string> = [
  [5, 'Interior designer'],
  [4, 'Office manager'],
  [3, 'Architect'],
  [3, 'Buyer'],
  [2, 'Owner'],
  [2, 'Head of facilities'],
  [1, 'Set decorator'],
  [1, 'Electrician'],
]

export const rooms: Weighted<string> = [
  [5, 'living room'],
  [4, 'study'],
  [3, 'bedroom'],
  [2, 'hall'],
  [1, 'workshop'],
]
