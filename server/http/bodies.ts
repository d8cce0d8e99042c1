// Parsing of request bodies. JSON everywhere; text and forms only where a browser's beacon or a plain form
// may send them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'

type Done = (error: Error | null, body?: unknown) => void

/** A key with this name reaches into the prototype of an object that the body is later copied to. */
const POISON = '__proto__'

function refusePoison(key: string, value: unknown): unknown {
  if (key === POISON) throw new Problem('validation_failed', `The body may not have a key named ${POISON}.`)
  return value
}

/**
 * No body of the API has more than six levels. The parser takes any depth, but walking the result would
 * overflow the stack.
 */
const MOST_LEVELS = 64

function isTooDeep(text: string): boolean {
  if (text.length <= MOST_LEVELS) return false
  let level = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (isInText) {
      if (letter === '\\') at++
      else if (letter === '"') isInText = false
    } else if (letter === '"') isInText = true
    else if (letter === '{' || letter === '[') {
      if (++level > MOST_LEVELS) return true
    } else if (letter === '}' || letter === ']') level--
  }
  return false
}

function parseJson(text: string): unknown {
  // A missing body is valid here: the schema says whether it is required.
  if (text.trim() === '') return undefined
  if (isTooDeep(text)) throw new Problem('validation_failed', `The body may not have more than ${MOST_LEVELS} levels.`)
  // Checking every key is slow, so it is done only for bodies that may contain the name, plain or escaped.
  const isSuspicious = text.includes(POISON) || text.includes('\\u00')
  try {
    return isSuspicious ? JSON.parse(text, refusePoison) : JSON.parse(text)
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('validation_failed', 'The body is not valid JSON.')
  }
}

/**
 * A form's fields as texts; of a repeated field the last. JSON with this type is what curl sends by default.
 */
function parseForm(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return parseJson(text)
  return Object.fromEntries([...new URLSearchParams(text)].filter(([name]) => name !== POISON))
}

function reader(parse: (text: string) => unknown) {
  return (_request: FastifyRequest, text: string, done: Done): void => {
    let body: unknown
    try {
      body = parse(text)
    } catch (error) {
      done(error as Error)
      return
    }
    done(null, body)
  }
}

/** For endpoints that accept the cookie: nothing that a form on a foreign page could send is parsed. */
export function readJsonBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, reader(parseJson))
}

/** JSON under any content type that a beacon or a plain form has, and forms. */
export function readAnyBodies(scope: FastifyInstance): void {
  readJsonBodies(scope)
  scope.addContentTypeParser('text/plain', { parseAs: 'string' }, reader(parseJson))
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, reader(parseForm))
}
