// The cookie and the pages that it speaks for: what is set, what is read, and who is turned away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readConfig } from '../config.ts'
import { Problem } from '../kernel/problem.ts'
import { clearCookie, readCookie, refuseForeignPages, refuseForeignSignIns, setCookie } from './cookies.ts'

const overHttp = readConfig({ BASE_URL: 'http://stats.example.com' })
const overHttps = readConfig({ BASE_URL: 'https://stats.example.com' })

function written(write: (reply: FastifyReply) => void): string {
  const headers = new Map<string, string>()
  const reply = { header: (name: string, value: string) => headers.set(name, value) }
  write(reply as unknown as FastifyReply)
  return headers.get('set-cookie') ?? ''
}

const request = (headers: Record<string, string>, method = 'POST') => ({ method, headers }) as unknown as FastifyRequest

test('over https the cookie is bound to this host and never sent in the clear', () => {
  assert.equal(
    written((reply) => setCookie(overHttps, reply, 'x')),
    '__Host-footfall=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure',
  )
  assert.equal(
    written((reply) => setCookie(overHttp, reply, 'x')),
    'footfall=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000',
  )
  assert.match(
    written((reply) => clearCookie(overHttps, reply)),
    /^__Host-footfall=; .*Max-Age=0; Secure$/,
  )
})

test('it is found among others, and no other is taken for it', () => {
  const cookie = 'a=1; __Host-footfall=right ;footfall=wrong; xfootfall=wrong'
  assert.equal(readCookie(overHttps, request({ cookie })), 'right')
  assert.equal(readCookie(overHttp, request({ cookie: 'xfootfall=a; footfall=b=c' })), 'b=c')
  for (const other of ['', ';;;', '=x', 'footfall', 'FOOTFALL=x', '__Host-footfall=x'])
    assert.equal(readCookie(overHttp, request({ cookie: other })), undefined, other)
})

const isRefused = (check: () => void): boolean => {
  try {
    check()
    return false
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.kind, 'insufficient_scope')
    return true
  }
}

test('whatever changes something comes from a page of this service, and signing in from no other page', () => {
  const host = 'stats.example.com'
  const cases: readonly (readonly [Record<string, string>, boolean, boolean])[] = [
    [{ 'sec-fetch-site': 'same-origin' }, false, false],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://stats.example.com' }, true, true],
    [{ 'sec-fetch-site': 'cross-site' }, true, true],
    [{ 'sec-fetch-site': 'none' }, true, true],
    [{ 'sec-fetch-site': '' }, true, true],
    [{ host, origin: 'https://stats.example.com' }, false, false],
    [{ host: '127.0.0.1:8080', origin: 'https://stats.example.com' }, false, false],
    [{ host: 'localhost:8080', origin: 'http://localhost:8080' }, false, false],
    [{ host, origin: 'https://evil.example' }, true, true],
    [{ host, origin: 'https://stats.example.com.evil.example' }, true, true],
    [{ host, origin: 'null' }, true, true],
    [{ host, origin: '' }, true, true],
    [{ host }, true, false],
  ]
  for (const [headers, asPerson, signingIn] of cases) {
    const what = JSON.stringify(headers)
    assert.equal(
      isRefused(() => refuseForeignPages(overHttps, request(headers))),
      asPerson,
      what,
    )
    assert.equal(
      isRefused(() => refuseForeignSignIns(overHttps, request(headers))),
      signingIn,
      what,
    )
    assert.equal(
      isRefused(() => refuseForeignPages(overHttps, request(headers, 'GET'))),
      false,
      what,
    )
  }
})
