// The interface described by the schemas that check it; docs.ts hands the description out.
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

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
