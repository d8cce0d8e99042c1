// Endpoints as values: what the types hold handlers to, and what the server makes of each part.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { fastify, type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { ok } from './answer.ts'
import { type Access, labelOf, owner, person, role, token } from './access.ts'
import { chapter, type Endpoint, get, getRaw, post, postBare, postRaw } from './endpoint.ts'
import { errorHandler } from './errors.ts'
import { register } from './register.ts'
import { openValidatorCompiler } from './validation.ts'

const context = { config: { baseUrl: 'http://footfall.test' } } as Context

const somebody: Access<{ readonly name: string }> = {
  right: { kind: 'anyone' },
  security: [{}],
  allow: async (_context, { headers }) => {
    if (headers['x-name'] === undefined) throw new Problem('unauthenticated', 'Who are you?')
    return { given: { name: String(headers['x-name']) } }
  },
}

async function serve(t: TestContext, endpoints: readonly Endpoint[]): Promise<FastifyInstance> {
  const app = fastify()
  t.after(() => app.close())
  app.decorateRequest('allowed', null)
  app.setErrorHandler(errorHandler())
  app.setValidatorCompiler(openValidatorCompiler())
  await app.register(register(context, endpoints, '/'))
  return app
}

const Named = Type.Object({ a: Type.Optional(Type.Integer()) })
const answer = { text: Type.String() }
const headers = { 'x-name': 'Ada' }

test('a handler is given what its access makes sure of, the parameters of its URL and nothing else', () => {
  const plain = { summary: '', answer }
  chapter('Types', [
    get('/a/:one/:two', token('signals:read'), plain, async ({ property, params }) => ({
      text: property.id + params.one + params.two,
    })),
    // @ts-expect-error -- an owner of the installation calls for no property
    get('/b', owner, plain, async ({ property }) => ({ text: String(property) })),
    // @ts-expect-error -- a role may be the administrator's, who is no person
    get('/c', role('viewer'), plain, async ({ person: { user } }) => ({ text: String(user) })),
    // @ts-expect-error -- where no share link is let in, there is none
    get('/d', role('viewer'), plain, async ({ share }) => ({ text: String(share) })),
    get('/e', role('viewer', { shared: true }), plain, async ({ share, caller }) => ({
      text: share?.shareId ?? caller.kind,
    })),
    // @ts-expect-error -- the URL has no such parameter
    get('/f/:one', person, plain, async ({ params }) => ({ text: String(params.two) })),
    // @ts-expect-error -- the answer is not as its schema says
    get('/g', person, plain, async ({ person: { user } }) => ({ text: user.created_ts })),
    // @ts-expect-error -- a field of the answer is missing
    get('/h', person, plain, async () => ({})),
  ])
})

test('the access is asked before the body is looked at', async (t) => {
  const app = await serve(
    t,
    chapter('Tests', [
      post('/a', somebody, { summary: '', body: Named, answer }, async ({ name, body }) => ({
        text: `${name} ${body.a ?? '-'}`,
      })),
    ]),
  )
  const call = async (given: object, payload?: object) => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/a',
      headers: { ...given },
      ...(payload && { payload }),
    })
    return [statusCode, JSON.parse(body).data?.text]
  }
  assert.deepEqual(await call({}, { a: 'no number' }), [401, undefined])
  assert.deepEqual(await call(headers, { a: 'no number' }), [422, undefined])
  assert.deepEqual(await call(headers, { a: 1 }), [200, 'Ada 1'])
  assert.deepEqual(await call(headers), [422, undefined])
})

test('a body may be left out, an answer may have no envelope, and may be written by the handler', async (t) => {
  const app = await serve(
    t,
    chapter('Tests', [
      postBare(
        '/a/:one',
        somebody,
        { summary: '', body: Named, isBodyOptional: true, answer: Type.Object(answer) },
        async ({ body, params, address }) => ({ text: `${body.a ?? '-'} ${params.one} ${address.path}` }),
      ),
      postRaw('/b', somebody, { summary: '', body: Named, answer }, async ({ reply, name }) =>
        reply.header('x-written', 'by the handler').send(ok({ text: name })),
      ),
      getRaw('/b', somebody, { summary: '', produces: ['text/plain'] }, async ({ reply, name }) =>
        reply.type('text/plain').send(name),
      ),
    ]),
  )
  const bare = await app.inject({ method: 'POST', url: '/a/x%20y', headers })
  assert.deepEqual([bare.statusCode, bare.json()], [200, { text: '- x y /a/x%20y' }])
  assert.equal((await app.inject({ url: '/b', headers })).body, 'Ada')
  const written = await app.inject({ method: 'POST', url: '/b', headers, payload: {} })
  assert.deepEqual([written.headers['x-written'], written.json().data], ['by the handler', { text: 'Ada' }])
})

test('an endpoint may tell one fault before all others', async (t) => {
  const refusal = (error: Error, { body }: { readonly body: unknown }) =>
    body === undefined || 'b' in (body as object) ? error : new Problem('not_found', 'b comes first.')
  const app = await serve(
    t,
    chapter('Tests', [
      post('/a', somebody, { summary: '', body: Named, refusal, answer }, async () => {
        throw new Problem('conflict', 'Ours.')
      }),
    ]),
  )
  const call = async (payload: object) => (await app.inject({ method: 'POST', url: '/a', headers, payload })).statusCode
  assert.deepEqual([await call({ a: '' }), await call({ a: '', b: 1 }), await call({ b: 1 })], [404, 422, 409])
})

test('the documentation has the parameters with what is said of them', async (t) => {
  const described: object[] = []
  const app = fastify()
  t.after(() => app.close())
  app.addHook('onRoute', ({ method, schema }) => {
    if (method === 'GET') described.push(schema ?? {})
  })
  app.decorateRequest('allowed', null)
  const contract = { summary: 'All', params: { two: 'The second.' }, answer, says: 'A text.' }
  await app.register(
    register(context, chapter('Tests', [get('/a/:one/:two', owner, contract, async () => ({ text: '' }))]), '/a'),
  )
  const [schema] = JSON.parse(JSON.stringify(described))
  assert.deepEqual([schema.tags, schema.summary, schema.security], [['Tests'], 'All', [{ admin: [] }, { session: [] }]])
  assert.deepEqual(schema.params.properties, {
    one: { type: 'string' },
    two: { type: 'string', description: 'The second.' },
  })
  assert.equal(schema.response[200].description, 'A text.')
})

test('what an endpoint asks of its caller is said in words', () => {
  assert.deepEqual(
    [token('signals:read', { shared: true }), role('admin'), owner, person].map(({ right }) => labelOf(right)),
    ['token with signals:read or share link', 'admin', 'owner of the installation', 'person'],
  )
})
