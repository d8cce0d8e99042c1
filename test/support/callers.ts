// Everybody who may knock at the door of a property: with rights in it, with rights elsewhere, with rights
// that are gone, and without any.
import { addPerson, type Person } from './accounts.ts'
import type { FullProperty } from './full-property.ts'
import { byRole, type Right } from './rights.ts'
import { ALL_SCOPES, type CallOptions, type Footfall } from './server.ts'

/**
 * What an answer says of rights: nobody is known; the property is not there; too few rights; or anything
 * else.
 */
export type Verdict = 'unknown' | 'hidden' | 'refused' | 'let in'

export interface KnownCaller {
  readonly name: string
  readonly options: CallOptions
  /** Its token says which property is meant: with X-Footfall-Property it is taken for nobody's. */
  readonly isProgram?: true
  /** Of a call of /manage, or of /v2/property in the name of the home property. */
  readonly expected: (method: string, pattern: string, right: Right, scope: string | undefined) => Verdict
  /** Reads what belongs to the home property, at least in part. */
  readonly isOfHome: boolean
}

const isOfProperty = (pattern: string): boolean => pattern.startsWith('/v2/') || pattern.includes('{property}')

function nobodyAs(name: string, options: CallOptions): KnownCaller {
  return {
    name,
    options,
    expected: (_method, _pattern, right) => (right === 'public' ? 'let in' : 'unknown'),
    isOfHome: false,
  }
}

function personAs(
  name: string,
  { cookie }: Pick<Person, 'cookie'>,
  may: (right: Right) => boolean,
  isOfHome = true,
): KnownCaller {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  return {
    name,
    options: { token: null, headers },
    expected: (_method, pattern, right) => {
      if (may(right)) return 'let in'
      if (right === 'share') return 'unknown'
      return isOfProperty(pattern) && !isOfHome ? 'hidden' : 'refused'
    },
    isOfHome,
  }
}

/** A program: its scopes, under /v2/property alone. */
function programAs(name: string, token: string, scopes: readonly string[], isOfHome = true): KnownCaller {
  return {
    name,
    options: { token },
    isProgram: true,
    expected: (_method, pattern, right, scope) => {
      if (right === 'public') return 'let in'
      if (!pattern.startsWith('/v2/')) return 'unknown'
      return scope !== undefined && scopes.includes(scope) ? 'let in' : 'refused'
    },
    isOfHome,
  }
}

function shareAs(name: string, token: string, isOfHome: boolean): KnownCaller {
  return {
    name,
    options: { token },
    expected: (_method, pattern, right) => {
      if (right === 'public' || right === 'share') return 'let in'
      if (right === 'viewer or share') return isOfHome ? 'let in' : 'hidden'
      if (right === 'person') return 'unknown'
      return isOfProperty(pattern) && (!isOfHome || pattern.startsWith('/manage/')) ? 'hidden' : 'refused'
    },
    isOfHome,
  }
}

async function openShare(footfall: Footfall, propertyId: string): Promise<{ id: string; token: string }> {
  const at = `/manage/properties/${propertyId}/shares`
  const { json } = await footfall.call('POST', at, { body: { name: 'For everybody' } })
  const body = { token: json.data.url.split('/').at(-1) }
  const opened = await footfall.call('POST', '/manage/share', { token: null, body })
  return { id: json.data.share.id, token: opened.json.data.access_token }
}

async function peopleWhoWere(footfall: Footfall, home: FullProperty): Promise<KnownCaller[]> {
  const roles = { [home.id]: 'owner' } as const
  const [removed, signedOut, expired, shutOut] = await Promise.all(
    [0, 1, 2, 3].map(() => addPerson(footfall, { roles })),
  )
  await footfall.call('DELETE', `/manage/properties/${home.id}/members/${removed!.id}`)
  await signedOut!.call('DELETE', '/manage/session')
  await footfall.context.records
    .updateTable('user_sessions')
    .set({ created_ts: 0, last_seen_ts: 0 })
    .where('user_id', '=', expired!.id)
    .execute()
  await footfall.call('POST', `/manage/users/${shutOut!.id}`, { body: { is_active: false } })
  const withCookie = ({ cookie }: Person) => ({ token: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  return [
    personAs('somebody who was removed', removed!, byRole(undefined), false),
    nobodyAs('somebody who signed out', withCookie(signedOut!)),
    nobodyAs('somebody whose session has ended', withCookie(expired!)),
    nobodyAs('somebody who was shut out', withCookie(shutOut!)),
  ]
}

async function bearersWhoWere(footfall: Footfall, home: FullProperty): Promise<KnownCaller[]> {
  const share = await openShare(footfall, home.id)
  await footfall.call('DELETE', `/manage/properties/${home.id}/shares/${share.id}`)
  const at = `/manage/properties/${home.id}/tokens`
  const { json } = await footfall.call('POST', at, { body: { name: 'x', scopes: [...ALL_SCOPES] } })
  await footfall.call('DELETE', `${at}/${json.data.token.id}`)
  return [
    nobodyAs('the bearer of a share that was revoked', { token: share.token }),
    nobodyAs('a program whose token was revoked', { token: json.data.access_token }),
  ]
}

const nobodies: readonly KnownCaller[] = [
  nobodyAs('nobody', { token: null }),
  nobodyAs('a wrong token', { token: `fft_${'a'.repeat(40)}` }),
  nobodyAs('another way of signing in', { token: null, headers: { authorization: 'Basic Zm9vOmJhcg==' } }),
  nobodyAs('an empty cookie', { token: null, headers: { cookie: 'footfall=', 'sec-fetch-site': 'same-origin' } }),
  nobodyAs('half a token of the administrator', { token: 'an-administrator-token-for-tests' }),
]

/** @param foreign another property, of which those who belong to it are strangers at home */
export async function everybody(footfall: Footfall, home: FullProperty, foreign: FullProperty): Promise<KnownCaller[]> {
  const withRoles = (roles: Parameters<typeof addPerson>[1]) => addPerson(footfall, roles)
  const inHome = (role: 'viewer' | 'admin' | 'owner') => withRoles({ roles: { [home.id]: role } })
  const inForeign = (role: 'viewer' | 'admin' | 'owner') => withRoles({ roles: { [foreign.id]: role } })
  const tokens = ALL_SCOPES.map(async (scope) =>
    programAs(`a program with ${scope}`, await footfall.addToken(home.id, [scope]), [scope]),
  )
  return [
    ...nobodies,
    personAs('a viewer', await inHome('viewer'), byRole('viewer')),
    personAs('an admin', await inHome('admin'), byRole('admin')),
    personAs('an owner', await inHome('owner'), byRole('owner')),
    personAs(
      'a viewer who owns another property',
      await withRoles({ roles: { [home.id]: 'viewer', [foreign.id]: 'owner' } }),
      byRole('viewer'),
    ),
    personAs('a viewer of another property', await inForeign('viewer'), byRole(undefined), false),
    personAs('an admin of another property', await inForeign('admin'), byRole(undefined), false),
    personAs('an owner of another property', await inForeign('owner'), byRole(undefined), false),
    personAs('an owner of the installation', await withRoles({ isOwner: true }), byRole('owner', true)),
    {
      name: 'the administrator',
      options: { token: footfall.admin },
      expected: (_method, _pattern, right) => (right === 'person' || right === 'share' ? 'unknown' : 'let in'),
      isOfHome: true,
    },
    shareAs('the bearer of a share', (await openShare(footfall, home.id)).token, true),
    shareAs('the bearer of a share of another property', (await openShare(footfall, foreign.id)).token, false),
    programAs('a program without scopes', await footfall.addToken(home.id, []), []),
    ...(await Promise.all(tokens)),
    programAs('a program', home.token, ALL_SCOPES),
    programAs('a program of another property', foreign.token, ALL_SCOPES, false),
    ...(await peopleWhoWere(footfall, home)),
    ...(await bearersWhoWere(footfall, home)),
  ]
}
