// /signals.js, /form.js and /content.js: for pages of any origin, in the smallest encoding that the browser
// accepts. Counted by the limit of static files.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { sendStatic } from '../serving/static-files.ts'
import { Problem } from '../kernel/problem.ts'
import type { PublicPaths } from './public-paths.ts'
import { buildFolder, readScript, type Script, SCRIPT_NAMES, type ScriptName } from './scripts.ts'

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

type App = Parameters<FastifyPluginAsyncTypebox>[0]

function addScript(app: App, name: ScriptName, script: Script | undefined, otherPath?: string): void {
  const described = { tags: ['Public'], summary: `The browser library ${name}.js`, security: [] }
  app.route({
    method: ['GET', 'HEAD'],
    url: otherPath ?? `/${name}.js`,
    schema: otherPath === undefined ? described : { hide: true },
    handler: async (request, reply) => {
      if (!script) throw missing(name)
      return sendStatic(request, reply, script, headers)
    },
  })
}

const noOthers: Pick<PublicPaths, 'scripts' | 'rename'> = { scripts: new Map(), rename: (script) => script }

export function scriptRoutes(
  { log }: Context,
  others = noOthers,
  folder: string = buildFolder,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const name of SCRIPT_NAMES) {
      const script = await readScript(folder, name)
      if (!script) log.warn({ script: `/${name}.js` }, 'a browser library has not been built')
      addScript(app, name, script)
      const path = others.scripts.get(name)
      if (path !== undefined) addScript(app, name, script && others.rename(script, path), path)
    }
  }
}
