// The OpenAPI description of the API, from the schemas that validate it; docs.ts serves it.
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

const description = `Web analytics for one or many web properties.

Authenticated endpoints take \`Authorization: Bearer <token>\` with the scope that each names. Public endpoints take no token; the tracker names
its property in \`X-SVC-ID\`. The management interface takes the administrator's token, or the cookie of somebody who is signed in; both may also call the
authenticated endpoints, with the property in \`X-Footfall-Property\`.`

/** Registered before the routes, which it collects. */
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
