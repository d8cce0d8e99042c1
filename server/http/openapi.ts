// The interface described by the schemas that check it: /openapi.json for programs, /docs for people. All of it is served from here.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/**
 * Everything from here and nothing from elsewhere; the hash is that of the one style element that the pinned page adds to itself. Unlike the
 * plugin's own policy this one does not turn requests into https, which would leave the page empty on a plain address in a local network.
 */
const docsPolicy =
  "default-src 'self'; object-src 'none'; script-src 'self'; style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const description = `Web analytics for one or many web properties.

Authenticated endpoints take \`Authorization: Bearer <token>\` with the scope that each names. Public endpoints take no token; the tracker names
its property in \`X-SVC-ID\`. The management interface takes the administrator's token, or the cookie of somebody who is signed in; both may also call the
authenticated endpoints, with the property in \`X-Footfall-Property\`.`

/** Before the routes: the description is gathered while they are registered. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Footfall', description, version, license: { name: 'MIT', identifier: 'MIT' } },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'An access token of a property.' },
          admin: { type: 'http', scheme: 'bearer', description: 'The administrator token (ADMIN_TOKEN).' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'footfall',
            description: 'The session of somebody who is signed in; over https the cookie is named __Host-footfall.',
          },
          property: { type: 'apiKey', in: 'header', name: 'X-SVC-ID', description: 'The key of the property.' },
        },
      },
    },
  })
}

/** After the routes. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  let text: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: docsPolicy,
    // Two hundred endpoints at once take the page ten seconds and more to draw.
    uiConfig: { docExpansion: 'none', deepLinking: true, tryItOutEnabled: true },
    theme: { title: 'Footfall: the interface' },
  })
}
