// Answers for paths that do not exist, and for those that exist with another method.
import type { FastifyInstance } from 'fastify'
import { Problem } from '../kernel/problem.ts'
import { sendProblem } from '../http/errors.ts'

interface KnownPath {
  readonly matches: RegExp
  readonly methods: Set<string>
}

function patternOf(url: string): RegExp {
  const steps = url
    .split('/')
    .map((step) => (step.startsWith(':') ? '[^/]+' : step === '*' ? '.*' : step.replace(/[^\w]/g, '\\$&')))
  return new RegExp(`^${steps.join('/')}$`)
}

/** Registered before the routes, whose paths it collects. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', (route) => {
    const path = known.get(route.url) ?? { matches: patternOf(route.url), methods: new Set<string>() }
    for (const method of [route.method].flat()) path.methods.add(method)
    known.set(route.url, path)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = new Set<string>()
    for (const candidate of known.values()) {
      if (candidate.matches.test(path)) for (const method of candidate.methods) methods.add(method)
    }
    if (methods.size === 0) return sendProblem(reply, new Problem('not_found', 'Nothing found at this URL.'))
    const allowed = [...methods].join(', ')
    reply.header('allow', allowed)
    return sendProblem(reply, new Problem('method_not_allowed', `This URL accepts ${allowed}.`))
  })
}
