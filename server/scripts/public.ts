// /signals.js, /form.js and /content.js: for pages of any origin, in the smallest encoding that the browser
// accepts. Counted by the limit of static files.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { sendStatic } from '../serving/static-files.ts'
import { Problem } from '../kernel/problem.ts'
import { buildFolder, readScript, SCRIPT_NAMES, type ScriptName } from './scripts.ts'

/**
 * An upgrade reaches every page within the hour; for a day browsers use their copy while they fetch the new
 * one.
 */
const CACHE = 'public, max-age=3600, stale-while-revalidate=86400'

const headers = {
  'cache-control': CACHE,
  // Pages that use CORS (integrity attributes) or isolation may load it too.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

const missing = (name: ScriptName): Problem =>
  new Problem('unavailable', `${name}.js has not been built: npm start builds it, or node tools/build-browser.mjs.`)

export function scriptRoutes({ log }: Context, folder: string = buildFolder): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const name of SCRIPT_NAMES) {
      const script = await readScript(folder, name)
      if (!script) log.warn({ script: `/${name}.js` }, 'a browser library has not been built')
      app.route({
        method: ['GET', 'HEAD'],
        url: `/${name}.js`,
        schema: { tags: ['Public'], summary: `The browser library ${name}.js`, security: [] },
        handler: async (request, reply) => {
          if (!script) throw missing(name)
          return sendStatic(request, reply, script, headers)
        },
      })
    }
  }
}
