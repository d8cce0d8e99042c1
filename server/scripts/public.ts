// /signals.js, /form.js and /content.js: for pages of any origin, in the smallest form that the browser takes. Counted by the limit of static files.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { sendStatic } from '../serving/static-files.ts'
import { Problem } from '../kernel/problem.ts'
import { buildFolder, readScript, SCRIPT_NAMES, type ScriptName } from './scripts.ts'

/** An owner who upgrades reaches every page within the hour; a browser never waits for a copy that is a day old. */
const CACHE = 'public, max-age=3600, stale-while-revalidate=86400'

const headers = {
  'cache-control': CACHE,
  // Pages that ask for CORS (integrity attributes) or isolate themselves may use it as well.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

const missing = (name: ScriptName): Problem =>
  new Problem('unavailable', `${name}.js has not been built: npm start builds it, or node tools/build-browser.mjs.`)

export function routes({ log }: Context, folder: string = buildFolder): FastifyPluginAsyncTypebox {
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
