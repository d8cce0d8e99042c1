// What visitors read in eight languages: which one they get, and that every text says what it has to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { languageFor, visitorLanguages, visitorTexts } from './visitor-texts.ts'

const chosen = (accepted: string | undefined) => languageFor('auto', accepted)

test('a visitor reads the first language of the browser that is here, by its weight, else English', () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['DE-ch', 'de'],
    ['en;q=0.4, fr-CA;q=0.8', 'fr'],
    ['sv, nl;q=0.5, en;q=0.1', 'nl'],
    ['pt-BR', 'pt'],
    ['es;q=0,it', 'it'],
    ['ja,ko', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['pl;q=abc,de;q=0.1', 'de'],
    ['__proto__,constructor', 'en'],
  ]
  for (const [accepted, language] of cases) assert.equal(chosen(accepted), language, accepted)
  assert.equal(languageFor('fr', 'de'), 'fr', 'the setting of a form outweighs the browser')
})

test('any header chooses a language that is here', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => visitorLanguages.includes(chosen(text))))
  fc.assert(
    fc.property(fc.array(fc.constantFrom('de', ';', 'q=', '0.5', ',', '-', '*', ' ')), (parts) =>
      visitorLanguages.includes(chosen(parts.join(''))),
    ),
  )
})

/** Every text of a language, with what is put into it. */
function textsIn(value: unknown, path: string): (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value('LABEL', '7'))]]
  return Object.entries(value as object).flatMap(([name, inner]) => textsIn(inner, `${path}.${name}`))
}

test('every language names the field and the bound in each message, and leaves no text in English', () => {
  const english = new Map(textsIn(visitorTexts('en'), ''))
  for (const language of visitorLanguages) {
    const texts = new Map(textsIn(visitorTexts(language), ''))
    assert.deepEqual([...texts.keys()], [...english.keys()], language)
    for (const [path, text] of texts) {
      assert.match(text, /^\S.*\S$/u, `${language}${path}`)
      if (language !== 'en') assert.notEqual(text, english.get(path), `${language}${path}`)
      for (const word of ['LABEL', '7'])
        assert.equal(text.includes(word), english.get(path)!.includes(word), `${language}${path}: ${text}`)
    }
  }
})
