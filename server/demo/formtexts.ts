// What the demo's visitors write into its forms: questions to a lamp shop, addresses for its newsletter, and
// the offers of spammers. Identified people write their own name and address.
import type { Answer, Answers, FrozenField } from '../forms/forms.ts'
import { describeWriting, type Writing } from '../spam-score/spam-score.ts'
import type { Weighted } from './catalogue.ts'
import { drawer, type Chance } from './chance.ts'
import { homes } from './names.ts'
import { type DemoIdentification, plain } from './people.ts'

export interface Written {
  readonly answers: readonly Answer[]
  readonly writing: Writing
}

const field = (name: string, type: string, label = name): FrozenField => ({ name, type, label })

/** As the contact page names them: in an open form the names are the labels. */
export const questionFields = [
  field('name', 'text'),
  field('email', 'email'),
  field('topic', 'select'),
  field('message', 'textarea'),
]

export const letterFields = [
  field('first_name', 'text', 'First name'),
  field('email', 'email', 'Email'),
  field('subjects', 'checkbox', 'What shall we write about?'),
]

function written(fields: readonly FrozenField[], answers: Answers): Written {
  const stored = fields.map(({ name, type, label }) => ({ type, name, label, value: answers[name] ?? '' }))
  return { answers: stored, writing: describeWriting({ fields, validation: {} }, answers) }
}

// ---------------------------------------------------------------- who

const drawHome = drawer(homes)
const oneOf = <Item>(chance: Chance, items: readonly Item[]): Item => items[chance.bits() % items.length]!

interface Name {
  readonly first: string
  readonly last: string
  readonly email: string
}

/** An unknown person with an unassigned address. */
function strangerOf(chance: Chance): Name {
  const home = drawHome(chance)
  const [first, last] = [oneOf(chance, home.firstNames), oneOf(chance, home.lastNames)]
  return { first, last, email: `${plain(first)}.${plain(last)}.${chance.bits().toString(36)}@example.org` }
}

function nameOf(chance: Chance, person: DemoIdentification | undefined): Name {
  const stranger = strangerOf(chance)
  const { email, traits } = person?.identification ?? {}
  if (!email) return stranger
  return { first: traits?.first_name ?? stranger.first, last: traits?.last_name ?? stranger.last, email }
}

// ---------------------------------------------------------------- what

const drawQuestion = drawer([
  [
    5,
    [
      'order',
      'My lamp arrived yesterday and I like it, but one of the two screws for the ceiling is missing. Could you send me one?',
    ],
  ],
  [
    4,
    [
      'order',
      'Where is my parcel? The tracking page has said "on its way" since Monday.\n\nThank you for looking into it.',
    ],
  ],
  [4, ['lamps', 'Does the Heron floor lamp take bulbs of the usual size, and may they be as bright as 75 watts?']],
  [4, ['lamps', 'Is the Wren desk lamp still made in green? I have two of the old ones and would like a third.']],
  [3, ['lamps', 'How long is the cable of the Barn Owl pendant? Our ceiling is three and a half metres high.']],
  [
    3,
    [
      'repairs',
      'The switch of a Kestrel wall lamp of 2014 gives sparks now and then. Do you repair such old ones, and what does it cost?',
    ],
  ],
  [2, ['repairs', 'I have dropped the glass of my Plover lantern. Can I order the glass alone?']],
  [
    2,
    [
      'other',
      'We are furnishing a small hotel with eleven rooms. Do you have prices for larger orders, and when could you deliver?',
    ],
  ],
  [2, ['other', 'A friendly greeting from the makers’ fair: your workshop talk was the best of the day.']],
  [1, ['other', 'Grüezi, liefern Sie auch in die Schweiz, und wie hoch ist das Porto? Besten Dank im Voraus!']],
] as Weighted<readonly [topic: string, message: string]>)

export function questionAnswers(chance: Chance, person: DemoIdentification | undefined): Written {
  const { first, last, email } = nameOf(chance, person)
  const [topic, message] = drawQuestion(chance)
  return written(questionFields, { name: `${first} ${last}`, email, topic, message })
}

export const subjects = ['New lamps', 'Light at home', 'Workshop'] as const

export function letterAnswers(chance: Chance, person: DemoIdentification | undefined): Written {
  const { first, email } = nameOf(chance, person)
  const chosen = subjects.filter(() => chance() < 0.55)
  return written(letterFields, { first_name: chance() < 0.7 ? first : '', email, subjects: chosen })
}

const offers = [
  'We make your site first in every search, guaranteed. <a href="https://rank.example/now">Order now</a> or write to https://rank.example/mail',
  'Cheap LED stock [url=https://bulbs.example]all models[/url] [url=https://bulbs.example/2]more[/url] https://bulbs.example/3',
  'Your domain expires! [url=https://renew.example/pay]renew it here[/url] before it is too late. https://renew.example https://renew.example/help',
  'Dear owner, I found errors on your website. My report is at <a href="https://audit.example/r">audit</a> https://audit.example/x https://audit.example/y',
] as const

export function spamAnswers(chance: Chance): Written {
  const { first, email } = strangerOf(chance)
  return written(questionFields, { name: first, email, topic: 'other', message: oneOf(chance, offers) })
}
