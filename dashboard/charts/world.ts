// The countries of the world as paths for a box, and dots for those that a map of this size has no room for.
// The shapes are the largest part of the dashboard: only world-map.tsx may import it, which is loaded when
// shown.
import { geoEqualEarth, geoPath } from 'd3-geo'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json'
import { codeByNumber, smallPlaces } from './world-codes.ts'

type Named = { readonly name: string }
const topology = atlas as unknown as Topology<{ countries: GeometryCollection<Named> }>

export interface Land {
  /** Alpha-2; undefined where nobody agrees on one. */
  readonly code: string | undefined
  readonly path: string
}

export interface Dot {
  readonly code: string
  readonly x: number
  readonly y: number
}

/** Nobody visits from there, and it would take a fifth of the map. */
const ANTARCTICA = 'AQ'

function codeOf({ id, properties }: Feature<Geometry, Named>): string | undefined {
  return properties.name === 'Kosovo' ? 'XK' : codeByNumber.get(String(id))
}

export interface World {
  readonly height: number
  readonly lands: readonly Land[]
  readonly dots: readonly Dot[]
}

/** As high as its width asks for. */
export function drawWorld(width: number): World {
  const { features } = feature(topology, topology.objects.countries)
  const shown = features.filter((land) => codeOf(land) !== ANTARCTICA)
  const all: FeatureCollection = { type: 'FeatureCollection', features: shown }
  // Turned so that its edge runs through the Bering Strait and cuts no country in two.
  const projection = geoEqualEarth().rotate([-11, 0]).fitWidth(width, all)
  const draw = geoPath(projection).digits(1)
  const lands = shown.map((land) => ({ code: codeOf(land), path: draw(land) ?? '' }))
  const dots = smallPlaces.flatMap(({ code, at }) => {
    const [x, y] = projection([...at]) ?? []
    return x === undefined || y === undefined ? [] : [{ code, x, y }]
  })
  const [, [, bottom]] = draw.bounds(all)
  return { height: Math.ceil(bottom), lands, dots }
}
