// The form flow as pages call it (docs/api/forms.md): init, validate, process. Init always answers 200 and
// says what is wrong in `error_type`; the other two answer with a status. `validated: true` of process means
// that the submission is stored.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { problemOf } from '../http/errors.ts'
import { streamMultipart } from '../http/plain-bodies.ts'
import { openCallerReader, type ReadCaller } from './caller-public.ts'
import { refuseMapless, validateForm } from './check.ts'
import { initForm } from './init.ts'
import { ownTextsOf, saidIn } from './language.ts'
import { type ProcessBody, processForm } from './process.ts'
import { plainFormRoutes } from './plain-public.ts'
import * as schema from './public-schema.ts'
import { uploadFiles } from './upload.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const tags = ['Forms']
/** Called by anybody who knows the key: signatures keep out nobody who can read a page. */
const common = { tags, security: [] }

const FORM_NOT_FOUND = 1
const CONFIGURATION = 2

/**
 * Faults of the call or the form are answered in the body; failures of the service and rate limits by the
 * group.
 */
function answerInit(error: unknown, { headers }: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error)
  if (!problem || problem.kind === 'unavailable' || problem.kind === 'rate_limited') throw error
  const errorType = problem.kind === 'not_found' ? FORM_NOT_FOUND : CONFIGURATION
  const said = saidIn('auto', { language: headers['accept-language'] ?? '' })
  void reply.code(200).send({ error_type: errorType, message: problem.message, ...ownTextsOf(said) })
}

/** Faults of the body are raised after those that the documented order puts first. */
function bodyOf<Body>({ body, validationError }: { readonly body: Body; readonly validationError?: Error }) {
  return (): Body => {
    if (validationError) throw validationError
    return body
  }
}

interface Flow {
  readonly context: Context
  readonly callerOf: ReadCaller
}

function addInit(app: App, { context, callerOf }: Flow): void {
  app.route({
    method: 'POST',
    url: '/v2/form/:formKey/init',
    attachValidation: true,
    errorHandler: answerInit,
    schema: {
      ...common,
      summary: 'Open a form session and get a token',
      headers: schema.InitHeaders,
      body: schema.InitBody,
      response: schema.InitAnswer,
    },
    handler: async (request) => {
      const { formKey } = request.params as { formKey: string }
      const readBody = bodyOf(request)
      return initForm(context, formKey, callerOf(request, 'x-svc-form'), () => readBody() ?? {})
    },
  })
}

function addValidate(app: App, { context, callerOf }: Flow): void {
  app.route({
    method: 'POST',
    url: '/v2/form/:token/validate',
    attachValidation: true,
    schema: {
      ...common,
      summary: 'Validate values without storing them',
      headers: schema.ValidateHeaders,
      body: schema.ValidateBody,
      response: schema.ValidateAnswer,
    },
    handler: async (request) => {
      const { token } = request.params as { token: string }
      return validateForm(context, token, callerOf(request, 'x-svc-session'), bodyOf(request))
    },
  })
}

function addProcess(app: App, { context, callerOf }: Flow): void {
  app.route({
    method: 'POST',
    url: '/v2/form/:token/process',
    attachValidation: true,
    schema: {
      ...common,
      summary: 'Submit a form',
      headers: schema.ProcessHeaders,
      body: schema.ProcessBody,
      response: schema.ProcessAnswer,
    },
    handler: async (request) => {
      const { token } = request.params as { token: string }
      const readBody = (): ProcessBody => {
        refuseMapless(request.body)
        return bodyOf(request)()
      }
      return processForm(context, token, callerOf(request, 'x-svc-session'), readBody)
    },
  })
}

/** A scope of its own: nothing else is read as a stream. */
function uploadRoute({ context, callerOf }: Flow): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.removeAllContentTypeParsers()
    streamMultipart(app)
    app.route({
      method: 'POST',
      url: '/v2/form/:token/upload',
      schema: {
        ...common,
        summary: 'Upload the files of a form',
        consumes: ['multipart/form-data'],
        headers: schema.ValidateHeaders,
        response: schema.UploadAnswer,
      },
      handler: async (request) => {
        const { token } = request.params as { token: string }
        const stream = (request.body ?? Readable.from([])) as Readable
        const contentType = request.headers['content-type'] ?? ''
        return uploadFiles(context, token, callerOf(request, 'x-svc-session'), { stream, contentType })
      },
    })
  }
}

export function formRoutes(context: Context): FastifyPluginAsyncTypebox {
  const flow = { context, callerOf: openCallerReader(context) }
  return async (app) => {
    for (const add of [addInit, addValidate, addProcess]) add(app, flow)
    await app.register(uploadRoute(flow))
    await app.register(plainFormRoutes(context, flow.callerOf))
  }
}
