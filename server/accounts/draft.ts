// Turns what people typed about themselves into what is stored; the API and the command line use the same
// rules.
import { type EmailAddress, readEmail } from '../kernel/email.ts'
import { invalid } from '../kernel/problem.ts'

export const MAX_USER_NAME = 120
export const MIN_PASSWORD = 10
export const MAX_PASSWORD = 200
/** As long as an address may be (kernel/email.ts). */
export const MAX_EMAIL = 255

/** Cc: line breaks and escape sequences do not belong on pages and terminals. */
const controls = /\p{Cc}/u

/**
 * The most common passwords of ten characters or more, in lower case; shorter ones are refused anyway. Taken
 * from the lists that attackers start with: sequences, repetitions, and words followed by a year or a number.
 */
const commonest = new Set(
  `1234567890 0123456789 12345678910 123456789a 123456789q 1234567891 1234554321 1q2w3e4r5t 1qaz2wsx3edc q1w2e3r4t5 q1w2e3r4t5y6
qwertyuiop qwerty12345 qwerty123456 qwertyuiop123 qwerty1234 asdfghjkl1 asdfghjkl123 zxcvbnm123 1qazxsw23edc zaq12wsxcde3
password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 p@ssword123 mypassword passwordpassword changeme123 changemenow
iloveyou12 iloveyou123 welcome123 welcome1234 letmein123 admin12345 admin123456 administrator administrator1 rootpassword superadmin
princess12 princess123 sunshine123 football123 baseball123 basketball liverpool1 michael123 jordan1234 superman123 pokemon123
abcdefghij abcd123456 abc1234567 abc123456789 abcdefg123 aaaaaaaaaa 0000000000 1111111111 1212121212 9876543210 0987654321 1029384756
footfall123 footfall1234 footfallfootfall analytics1 analytics123 dashboard1 dashboard123 correcthorsebatterystaple`.split(
    /\s+/,
  ),
)

/** @throws Problem('validation_failed') */
export function readUserName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalid('name', 'name may not be empty.')
  if ([...name].length > MAX_USER_NAME) throw invalid('name', `name may have at most ${MAX_USER_NAME} characters.`)
  if (controls.test(name) || !name.isWellFormed()) throw invalid('name', 'name may not contain control characters.')
  return name
}

/** @throws Problem('validation_failed') */
export function readUserEmail(text: string): EmailAddress {
  const email = readEmail(text)
  if (!email) throw invalid('email', 'email must be an email address.')
  return email
}

/** Others know a person's name and address: a password must not contain them. */
interface Known {
  readonly email: string
  readonly name: string
}

const plain = (text: string): string => text.toLowerCase().normalize('NFC')

/** One character, or two that alternate, repeated any number of times. */
const repeated = /^(.{1,2})\1+.?$/su

/**
 * No rules of composition: they make passwords worse (NIST SP 800-63B, 3.1.1.2). @throws
 * Problem('validation_failed')
 */
export function readPassword(password: string, known: Known): string {
  const characters = [...password].length
  if (characters < MIN_PASSWORD) throw invalid('password', `password must have at least ${MIN_PASSWORD} characters.`)
  if (characters > MAX_PASSWORD) throw invalid('password', `password may have at most ${MAX_PASSWORD} characters.`)
  if (!password.isWellFormed()) throw invalid('password', 'password contains an invalid character.')
  const small = plain(password)
  const [local = ''] = plain(known.email).split('@')
  if ([plain(known.email), local, plain(known.name), plain(known.name).replaceAll(' ', '')].includes(small))
    throw invalid('password', 'password must not be your name or email address.')
  if (commonest.has(small) || repeated.test(small)) throw invalid('password', 'password is too easy to guess.')
  return password
}
