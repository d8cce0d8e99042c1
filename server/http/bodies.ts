// How bodies are read. JSON everywhere; text and forms only where a browser's beacon or a plain form may send them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'

type Done = (error: Error | null, body?: unknown) => void

/** A key of this name reaches into the prototype of whatever the body is later copied to. */
const POISON = '__proto__'

function refusePoison(key: string, value: unknown): unknown {
  if (key === POISON) throw new Problem('validation_failed', `The body may not have a key named ${POISON}.`)
  return value
}

/** No body of the interface has more than six levels. Parsing takes any depth; what walks through the result later would run out of stack. */
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
  // No body is not a broken one: the schema says whether it is needed.
  if (text.trim() === '') return undefined
  if (isTooDeep(text)) throw new Problem('validation_failed', `The body may not have more than ${MOST_LEVELS} levels.`)
  // Looking at every key takes long, so only where one may be spelled out or escaped.
  const isSuspicious = text.includes(POISON) || text.includes('\\u00')
  try {
    return isSuspicious ? JSON.parse(text, refusePoison) : JSON.parse(text)
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('validation_failed', 'The body is not valid JSON.')
  }
}

/** A form's fields as texts; of a repeated one the last. JSON under this type is what curl sends unless told otherwise. */
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

/** For endpoints that a page may call with a cookie: nothing that a form of a foreign page could send is read. */
export function readJsonBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, reader(parseJson))
}

/** JSON under any name that a beacon or a plain form gives it, and forms. */
export function readAnyBodies(scope: FastifyInstance): void {
  readJsonBodies(scope)
  scope.addContentTypeParser('text/plain', { parseAs: 'string' }, reader(parseJson))
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, reader(parseForm))
}
