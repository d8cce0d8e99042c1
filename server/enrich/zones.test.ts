// The time zone of a place, by the nearest city of its country.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findZone } from './zones.ts'

const nowhere = { lat: null, lon: null }

test('a country with one zone has it everywhere, one with several only where the place is known', () => {
  assert.equal(findZone('JP', nowhere), 'Asia/Tokyo')
  assert.equal(findZone('XK', nowhere), 'Europe/Belgrade')
  assert.equal(findZone('US', nowhere), '')
  assert.equal(findZone('ZZ', { lat: 1, lon: 1 }), '')
})

test('large cities have their own time, also near to the border of another zone', () => {
  const cities: readonly (readonly [string, number, number, string])[] = [
    ['US', 40.71, -74.01, 'America/New_York'],
    ['US', 29.76, -95.37, 'America/Chicago'],
    ['US', 31.76, -106.49, 'America/Denver'],
    ['US', 36.17, -115.14, 'America/Los_Angeles'],
    ['US', 38.63, -90.2, 'America/Chicago'],
    ['US', 21.31, -157.86, 'Pacific/Honolulu'],
    ['CA', 45.5, -73.57, 'America/Toronto'],
    ['BR', -22.91, -47.06, 'America/Sao_Paulo'],
    ['AU', -31.95, 115.86, 'Australia/Perth'],
    ['RU', 43.12, 131.89, 'Asia/Vladivostok'],
    ['RU', 55.8, 49.11, 'Europe/Moscow'],
    ['CN', 29.65, 91.1, 'Asia/Shanghai'],
    ['ES', 28.12, -15.43, 'Atlantic/Canary'],
    ['NZ', -43.95, -176.56, 'Pacific/Chatham'],
  ]
  for (const [country, lat, lon, zone] of cities) assert.equal(findZone(country, { lat, lon }), zone)
})

test('every zone is one that dates can be told in, and places on both sides of 180° are near to each other', () => {
  assert.equal(findZone('RU', { lat: 64.42, lon: -173.23 }), 'Asia/Anadyr')
  assert.equal(findZone('US', { lat: 52.9, lon: 172.9 }), 'America/Adak')
  const codes = fc.constantFrom(
    'US',
    'CA',
    'RU',
    'BR',
    'AU',
    'MX',
    'AQ',
    'KI',
    'PF',
    'PT',
    'NZ',
    'CL',
    'CD',
    'KZ',
    'MN',
    'UM',
  )
  const degrees = {
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  }
  fc.assert(
    fc.property(codes, fc.record(degrees), (country, at) => {
      assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: findZone(country, at) }))
    }),
  )
})
