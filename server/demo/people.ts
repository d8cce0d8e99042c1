// Which of the demo's visitors are identified, and as whom: all buyers, some who sign up for the newsletter,
// a few who sign in. The same seed and the same visit always give the same person.
import type { Identification } from '../identify/identify.ts'
import { around, drawer, openChance, type Chance } from './chance.ts'
import { companies, homes, jobTitles, rooms, type Home } from './names.ts'
import type { DemoVisit } from './traffic.ts'

export interface DemoIdentification {
  readonly atMs: number
  /** Orders are reported by the shop's server, whose data is trusted; everything else by the browser. */
  readonly by: 'token' | 'visitor'
  readonly identification: Identification
}

/** The people behind the visits of one demo; not all of them come. */
export interface DemoPeople {
  readonly seed: number
  readonly buyers: number
  /** Visitors who only look around; they never buy. */
  readonly others: number
}

/** Shares of newsletter visitors, and of all: with the buyers they make about three visits in a hundred. */
const SIGNUP_SHARE = 0.12
const SIGN_IN_SHARE = 0.004
/** Fewer people than visits, so that some come on several days. */
const BUYERS_A_SESSION = 0.016
const OTHERS_A_SESSION = 0.004
/** Share of those who sign in without buying: customers who check their orders. */
const RETURNING_SHARE = 0.4
const ACCOUNT_SHARE = 0.6
const COMPANY_SHARE = 0.3
const PHONE_SHARE = 0.35

const drawHome = drawer(homes)
const drawCompany = drawer(companies)
const drawJobTitle = drawer(jobTitles)
const drawRoom = drawer(rooms)

export function peopleOf(options: { readonly seed: number; readonly sessions: number }): DemoPeople {
  const share = (perSession: number): number => Math.max(1, Math.round(options.sessions * perSession))
  return { seed: options.seed, buyers: share(BUYERS_A_SESSION), others: share(OTHERS_A_SESSION) }
}

interface Person {
  readonly external_id: string | null
  readonly email: string
  readonly traits: Identification['traits'] & object
}

const oneOf = <Item>(chance: Chance, items: readonly Item[]): Item => items[chance.bits() % items.length]!

/** The letters of an email address: without accents and other characters. */
export const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll('ı', 'i')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

function phoneOf(chance: Chance, { phone }: Home): string | null {
  const digits = `${chance.bits() % 100}`.padStart(2, '0')
  return chance() < PHONE_SHARE && phone !== '' ? phone + digits : null
}

/** Days use seeds from 0 up, people from -1 down. */
function personOf(seed: number, number: number): Person {
  const chance = openChance(seed, -1 - number)
  const home = drawHome(chance)
  const first_name = oneOf(chance, home.firstNames)
  const last_name = oneOf(chance, home.lastNames)
  const host = chance() < 0.7 ? 'example.com' : 'example.org'
  const atWork = chance() < COMPANY_SHARE
  const suffix = `${seed}-${number}`
  return {
    external_id: chance() < ACCOUNT_SHARE ? `LL-C${suffix}` : null,
    email: `${plain(first_name)}.${plain(last_name)}.${suffix}@${host}`,
    traits: {
      first_name,
      last_name,
      phone: phoneOf(chance, home),
      country: home.country,
      city: oneOf(chance, home.cities),
      ...(atWork && { company: drawCompany(chance), job_title: drawJobTitle(chance) }),
      meta: [
        { key: 'room', value: drawRoom(chance) },
        { key: 'newsletter', value: chance() < 0.4 },
        { key: 'lamps_owned', value: Math.round(around(chance, 2)) },
      ],
    },
  }
}

/** Random numbers of a visit: seeded by its hash, so that the traffic's own are unaffected. */
const chanceOf = ({ hash, day }: DemoVisit): Chance => openChance(Number(BigInt.asIntN(32, BigInt(hash))), day)

interface Occasion {
  readonly atMs: number
  /** The lifecycle stage of a new contact; an order makes anybody a customer. */
  readonly stage: 'customer' | 'subscriber' | 'lead' | 'user'
  readonly isBuyer: boolean
}

/** When and why a visit is identified. */
function occasionOf(visit: DemoVisit, chance: Chance): Occasion | undefined {
  const order = visit.events.find((event) => event.order)
  if (order) return { atMs: order.atMs, stage: 'customer', isBuyer: true }
  const signup = visit.events.find((event) => event.name === 'letter_signup')
  if (signup && chance() < SIGNUP_SHARE) return { atMs: signup.atMs, stage: 'subscriber', isBuyer: false }
  if (chance() >= SIGN_IN_SHARE) return undefined
  // A question in the contact form makes a lead, an account a user.
  const stage = chance() < 0.5 ? 'lead' : 'user'
  return { atMs: visit.views.at(-1)!.atMs, stage, isBuyer: chance() < RETURNING_SHARE }
}

/** Buyers have even numbers, the others odd ones. */
function numberOf({ buyers, others }: DemoPeople, isBuyer: boolean, chance: Chance): number {
  return isBuyer ? 2 * (chance.bits() % buyers) : 2 * (chance.bits() % others) + 1
}

/** Undefined for most visits, and for every bot. */
export function identificationOf(people: DemoPeople, visit: DemoVisit): DemoIdentification | undefined {
  if (visit.isRobot) return undefined
  const chance = chanceOf(visit)
  const occasion = occasionOf(visit, chance)
  if (!occasion) return undefined
  const { traits, ...who } = personOf(people.seed, numberOf(people, occasion.isBuyer, chance))
  const identification = { ...who, traits: { ...traits, lifecycle_stage: occasion.stage } }
  return { atMs: occasion.atMs, by: occasion.stage === 'customer' ? 'token' : 'visitor', identification }
}
