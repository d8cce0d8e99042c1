// The endpoints of accounts: people who may sign in to the installation (/manage/users), for its owners, and
// one's own account (/manage/account), for every signed-in person. Those of members and shares, and of
// signing in, have files of their own.
import { Type } from 'typebox'
import { owner, person } from '../http/access.ts'
import { userIdOf } from '../http/auth.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { linkedPage } from '../kernel/page.ts'
import {
  beginTotp,
  changeAccount,
  confirmTotp,
  endMySession,
  listMySessions,
  removeTotp,
  renewRecoveryCodes,
} from './account.ts'
import { entry } from './entry-endpoints.ts'
import { members } from '../members/endpoints.ts'
import * as schema from './schema.ts'
import { listSignInRows } from './sign-in-records.ts'
import { changeUser, createUser, getUser, listUsers, makeReset, removeUser } from './users.ts'

const aboutSignIns = 'A page, newest first: the last 90 days, at most a thousand that were right and a thousand others.'

const users = [
  get(
    '/manage/users',
    owner,
    {
      summary: 'List the people',
      query: schema.PageQuery,
      answer: pageFields(schema.ListedUserShape),
      says: 'A page, newest first.',
    },
    async ({ context, query, address }) => linkedPage(query, address, (ask) => listUsers(context, ask)),
  ),
  post(
    '/manage/users',
    owner,
    {
      summary: 'Add a person',
      body: schema.NewUser,
      answer: { user: schema.ListedUserShape, invitation_url: Type.String() },
      says: 'The link to choose a password: shown once, expires in seven days.',
    },
    async ({ context, body }) => {
      const { user, invitationUrl } = await createUser(context, body)
      return { user, invitation_url: invitationUrl }
    },
  ),
  get(
    '/manage/users/:user/sign-ins',
    owner,
    {
      summary: 'The sign-ins of a person',
      query: schema.PageQuery,
      answer: pageFields(schema.SignInShape),
      says: aboutSignIns,
    },
    async ({ context, params, query, address }) => {
      const { id } = await getUser(context, params.user)
      return linkedPage(query, address, (ask) => listSignInRows(context.records, id, ask))
    },
  ),
  post(
    '/manage/users/:user',
    owner,
    {
      summary: 'Update a person: permissions, name, email',
      body: schema.ChangedUser,
      answer: { user: schema.ListedUserShape },
    },
    async ({ context, params, body, caller }) => ({
      user: await changeUser(context, params.user, body, userIdOf(caller) ?? undefined),
    }),
  ),
  remove(
    '/manage/users/:user',
    owner,
    { summary: 'Remove a person', answer: schema.removedFields, says: 'Gone, and what is left.' },
    async ({ context, params, caller }) => ({
      ...deleted,
      ...(await removeUser(context, params.user, userIdOf(caller) ?? undefined)),
    }),
  ),
  post(
    '/manage/users/:user/reset',
    owner,
    {
      summary: 'Create a password reset link',
      body: schema.NewReset,
      answer: { reset_url: Type.String(), expires_ts: Type.Integer() },
      says: 'The link to choose a new password: shown once, expires in seven days.',
    },
    async ({ context, params, body }) => {
      const { resetUrl, expiresTs } = await makeReset(context, params.user, { dropsTotp: body.totp === true })
      return { reset_url: resetUrl, expires_ts: expiresTs }
    },
  ),
]

const account = [
  post(
    '/manage/account',
    person,
    { summary: 'Update your account', body: schema.ChangedAccount, answer: { user: schema.UserShape } },
    async ({ context, person: self, body }) => ({ user: await changeAccount(context, self, body) }),
  ),
  get(
    '/manage/account/sign-ins',
    person,
    {
      summary: 'Your sign-ins',
      query: schema.PageQuery,
      answer: pageFields(schema.SignInShape),
      says: aboutSignIns,
    },
    async ({ context, person: { user }, query, address }) =>
      linkedPage(query, address, (ask) => listSignInRows(context.records, user.id, ask)),
  ),
  get(
    '/manage/account/sessions',
    person,
    {
      summary: 'List where you are signed in',
      answer: { data: Type.Array(schema.OwnSessionShape) },
      says: 'Where you are signed in, newest first.',
    },
    async ({ context, person: self }) => ({ data: await listMySessions(context, self) }),
  ),
  remove(
    '/manage/account/sessions/:session',
    person,
    { summary: 'Sign out elsewhere', answer: deletedFields },
    async ({ context, person: self, params }) => {
      await endMySession(context, self, params.session)
      return deleted
    },
  ),
]

const recoveryCodes = {
  answer: { recovery_codes: Type.Array(Type.String()) },
  says: 'Shown once; each works once, in place of a code. Earlier ones stop working.',
}

const secondFactor = [
  post(
    '/manage/account/totp',
    person,
    {
      summary: 'Set up an authenticator',
      body: schema.CurrentPassword,
      answer: { secret: Type.String(), otpauth_url: Type.String() },
      says: 'For the authenticator. It counts once a code of it was confirmed.',
    },
    async ({ context, person: self, body }) => beginTotp(context, self, body.current_password),
  ),
  post(
    '/manage/account/totp/confirm',
    person,
    { summary: 'Confirm the authenticator', body: schema.GivenCode, ...recoveryCodes },
    async ({ context, person: self, body }) => ({ recovery_codes: await confirmTotp(context, self, body.code) }),
  ),
  remove(
    '/manage/account/totp',
    person,
    { summary: 'Remove the authenticator', body: schema.CurrentPassword, answer: deletedFields },
    async ({ context, person: self, body }) => {
      await removeTotp(context, self, body.current_password)
      return deleted
    },
  ),
  post(
    '/manage/account/recovery-codes',
    person,
    { summary: 'Create new recovery codes', body: schema.CurrentPassword, ...recoveryCodes },
    async ({ context, person: self, body }) => ({
      recovery_codes: await renewRecoveryCodes(context, self, body.current_password),
    }),
  ),
]

export const accountEndpoints = chapter('Accounts', [...entry, ...users, ...account, ...secondFactor, ...members])
