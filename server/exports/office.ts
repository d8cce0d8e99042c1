// Exports belong to one process of the service, which makes one at a time and knows them all. Where WORKERS
// says that there are several it is the first of them, and the others ask it.
import type { Context } from '../context.ts'
import type { Property } from '../properties/properties.ts'
import type { ExportPlan } from './export.ts'
import { type ExportFile, type Exports, openFound, shownExport } from './exports.ts'
import type { ExportJson } from './schema.ts'

/** Which worker it is. */
const OWNER = 1

/** What Exports does, for whoever is in another process. */
const works = {
  create: async (exports: Exports, property: Property, plan: ExportPlan) =>
    shownExport(await exports.create(property, plan)),
  list: (exports: Exports, propertyId: string) => exports.list(propertyId).map(shownExport),
  get: (exports: Exports, propertyId: string, id: string) => shownExport(exports.get(propertyId, id)),
  remove: (exports: Exports, propertyId: string, id: string) => exports.remove(propertyId, id),
  find: (exports: Exports, propertyId: string, id: string) => exports.find(propertyId, id),
}

type Works = typeof works
type Name = keyof Works
type Given<Name extends keyof Works> = Works[Name] extends (exports: Exports, ...given: infer Rest) => unknown
  ? Rest
  : never

type Deps = Pick<Context, 'exports' | 'team'>

const nameOf = (name: Name): string => `exports.${name}`

/** To be called once, where exports are made. */
export function answerForOthers({ exports, team }: Deps): void {
  if (team?.slot !== OWNER) return
  for (const [name, work] of Object.entries(works))
    team.answer(nameOf(name as Name), (_from, ...given) => (work as (...all: unknown[]) => unknown)(exports, ...given))
}

/** @throws Problem as Exports does, and `unavailable` while the process that has them is started again. */
async function ask<Asked extends Name>(
  { exports, team }: Deps,
  name: Asked,
  ...given: Given<Asked>
): Promise<Awaited<ReturnType<Works[Asked]>>> {
  const isHere = team === undefined || team.slot === OWNER
  const answer = isHere
    ? (works[name] as (...all: unknown[]) => unknown)(exports, ...given)
    : team.ask(OWNER, nameOf(name), ...given)
  return (await answer) as Awaited<ReturnType<Works[Asked]>>
}

export const createExport = (deps: Deps, property: Property, plan: ExportPlan): Promise<ExportJson> =>
  ask(deps, 'create', property, plan)

export const listExports = (deps: Deps, propertyId: string): Promise<ExportJson[]> => ask(deps, 'list', propertyId)

export const getExport = (deps: Deps, propertyId: string, id: string): Promise<ExportJson> =>
  ask(deps, 'get', propertyId, id)

export const removeExport = async (deps: Deps, propertyId: string, id: string): Promise<void> => {
  await ask(deps, 'remove', propertyId, id)
}

/** The file is on the disk that all processes share. */
export async function openExport(deps: Deps, propertyId: string, id: string): Promise<ExportFile> {
  return openFound(await ask(deps, 'find', propertyId, id))
}
