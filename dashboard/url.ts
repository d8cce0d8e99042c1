// The state of a page lives in the query string only: a link reproduces the view, and Back works.
import { useCallback, useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/** One parameter: how it is read, and how it is written; null leaves it out of the URL. */
export interface Codec<Value> {
  readonly parse: (given: readonly string[]) => Value
  readonly write: (value: Value) => readonly string[] | null
}

export type Codecs<State> = { readonly [Key in keyof State]: Codec<State[Key]> }

/** Any text; '' when there is none. */
export const textParam: Codec<string> = {
  parse: ([given]) => given ?? '',
  write: (value) => (value === '' ? null : [value]),
}

/** A text, or null when there is none. */
export const optionalParam: Codec<string | null> = {
  parse: ([given]) => given ?? null,
  write: (value) => (value === null || value === '' ? null : [value]),
}

/** A whole number from 1; the default is left out. */
export function numberParam(byDefault: number): Codec<number> {
  return {
    parse: ([given]) => (given !== undefined && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : byDefault),
    write: (value) => (value === byDefault ? null : [String(value)]),
  }
}

/** One of a few; the default is left out, and anything else is the default. */
export function choiceParam<const Choice extends string, Default extends Choice | null>(
  choices: readonly Choice[],
  byDefault: Default,
): Codec<Choice | Default> {
  return {
    parse: ([given]) => choices.find((choice) => choice === given) ?? byDefault,
    write: (value) => (value === byDefault || value === null ? null : [value]),
  }
}

/** By which column, and whether from the most down. */
export interface SortState<Id extends string> {
  readonly by: Id
  readonly isDescending: boolean
}

/** `-clicks` begins with the most, `name` with the first; the default is left out. */
export function sortParam<const Id extends string, Default extends SortState<NoInfer<Id>> | null>(
  ids: readonly Id[],
  byDefault: Default,
): Codec<SortState<Id> | Default> {
  const written = (sort: SortState<Id> | null): string => (sort?.isDescending ? '-' : '') + (sort?.by ?? '')
  return {
    parse: ([given = '']) => {
      const by = ids.find((id) => id === given.replace(/^-/, ''))
      return by === undefined ? byDefault : { by, isDescending: given.startsWith('-') }
    },
    write: (value) => (written(value) === written(byDefault) ? null : [written(value)]),
  }
}

export const flagParam: Codec<boolean> = {
  parse: ([given]) => given === '1',
  write: (value) => (value ? ['1'] : null),
}

export interface Turn {
  /** Takes the place of the current entry of the history: for what is typed, and for what only corrects. */
  readonly replace?: boolean
}

function parseAll<State extends object>(codecs: Codecs<State>, search: string): State {
  const parameters = new URLSearchParams(search)
  const state: Partial<State> = {}
  for (const key of Object.keys(codecs) as (keyof State & string)[]) {
    state[key] = codecs[key].parse(parameters.getAll(key))
  }
  return state as State
}

/** The query string with some of the state changed; parameters of others stay. */
export function searchWith<State extends object>(codecs: Codecs<State>, search: string, patch: Partial<State>): string {
  const parameters = new URLSearchParams(search)
  for (const key of Object.keys(patch) as (keyof State & string)[]) {
    parameters.delete(key)
    const written = codecs[key].write(patch[key] as State[typeof key])
    for (const value of written ?? []) parameters.append(key, value)
  }
  return readable(parameters)
}

/** Colons and slashes need no escape in a query, and links are read by people. */
function readable(parameters: URLSearchParams): string {
  const search = parameters.toString().replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%7C', '|')
  return search === '' ? '' : `?${search}`
}

/**
 * The parameters that `codecs` names. Codecs must be a constant outside of the component.
 * The setter merges into what the URL is by then, pushes unless told to replace, and leaves other parameters
 * alone.
 */
export function useUrlState<State extends object>(
  codecs: Codecs<State>,
): [State, (patch: Partial<State>, turn?: Turn) => void] {
  const search = useSearch()
  const state = useMemo(() => parseAll(codecs, search), [codecs, search])
  const setState = useCallback(
    (patch: Partial<State>, { replace = false }: Turn = {}) => {
      const next = searchWith(codecs, location.search, patch)
      if (next !== location.search) navigate(location.pathname + next, { replace })
    },
    [codecs],
  )
  return [state, setState]
}
