// Every address of the dashboard. A page is loaded when it is first shown; it gets the path behind its name
// as `rest`.
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation, useParams, useSearch } from 'wouter'
import { ApiError } from './api.ts'
import type { Session } from './api/session.ts'
import { later } from './later.ts'
import { pages } from './pages.ts'
import { type CurrentProperty, detailsOf, PropertyProvider, useSession } from './session.tsx'
import { type Share, useShare } from './share.ts'
import { Crash } from './shell/crash.tsx'
import { Frame } from './shell/frame.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageSkeleton } from './shell/page-skeleton.tsx'
import { useRenewal } from './shell/renewal.ts'
import { ErrorState } from './parts/states.tsx'
import { withTexts } from './texts/index.ts'

export { type PageProps } from './pages.ts'

/** What a demo does not show. */
const ownersPages = new Set(['settings', 'start'])
/** What a share link shows. */
const sharedPages = new Set(['overview', 'live'])

const Account = lazy(later(withTexts(['account', 'entry'], () => import('./pages/account/page.tsx'))))
const Users = lazy(later(withTexts(['users', 'left', 'account'], () => import('./pages/users/page.tsx'))))
const Mail = lazy(later(withTexts(['mail'], () => import('./pages/mail/page.tsx'))))
const Backups = lazy(later(withTexts(['backups'], () => import('./pages/backups/page.tsx'))))
const NewProperty = lazy(later(withTexts(['start', 'data'], () => import('./pages/new/page.tsx'))))
const Sites = lazy(later(withTexts(['sites'], () => import('./pages/sites/page.tsx'))))
const SignIn = lazy(later(withTexts(['entry'], () => import('./pages/sign-in/page.tsx'))))
const Setup = lazy(later(withTexts(['entry'], () => import('./pages/setup/page.tsx'))))
const Invitation = lazy(later(withTexts(['entry'], () => import('./pages/invitation/page.tsx'))))
const ShareEntry = lazy(later(withTexts(['entry'], () => import('./pages/share/page.tsx'))))
const ShareEnded = lazy(
  later(withTexts(['entry'], async () => ({ default: (await import('./shell/share-ended.tsx')).ShareEnded }))),
)

export function App() {
  return (
    <Suspense fallback={<PageSkeleton isAlone />}>
      <Switch>
        <Route path="/sign-in">
          <SignIn />
        </Route>
        <Route path="/setup">
          <Setup />
        </Route>
        <Route path="/invitation">
          <Invitation />
        </Route>
        <Route path="/share/:token">{({ token }) => <ShareEntry token={token} />}</Route>
        <Route path="/properties/:property/*?">
          <PropertyRoute />
        </Route>
        <Route>
          <SignedIn>{(session) => <OwnPages session={session} />}</SignedIn>
        </Route>
      </Switch>
    </Suspense>
  )
}

/** Shows its children to somebody who is signed in; others go to sign in, and come back. */
function SignedIn({ children }: { children: (session: Session) => ReactNode }) {
  const session = useSession()
  const [path] = useLocation()
  if (session.data?.user) return children(session.data)
  if (session.data?.is_setup_open) return <Redirect to="/setup" replace />
  if (session.data) return <Redirect to={`/sign-in?next=${encodeURIComponent(path + location.search)}`} replace />
  if (session.error) return <ErrorState error={session.error} onRetry={session.refetch} />
  return <PageSkeleton isAlone />
}

function OwnPages({ session }: { session: Session }) {
  return (
    <Switch>
      <Route path="/">
        <Home session={session} />
      </Route>
      <Route path="/new">
        <Frame session={session}>
          <Shown>
            <NewProperty />
          </Shown>
        </Frame>
      </Route>
      <Route path="/account/*?">
        <Frame session={session}>
          <Shown>
            <Account />
          </Shown>
        </Frame>
      </Route>
      <Route path="/users/*?">
        <Frame session={session}>
          <Shown>
            <Users />
          </Shown>
        </Frame>
      </Route>
      <Route path="/mail">
        <Frame session={session}>
          <Shown>
            <Mail />
          </Shown>
        </Frame>
      </Route>
      <Route path="/backups">
        <Frame session={session}>
          <Shown>
            <Backups />
          </Shown>
        </Frame>
      </Route>
      <Route>
        <Frame session={session}>
          <NotFound />
        </Frame>
      </Route>
    </Switch>
  )
}

/** To the only property, to a list of several, or to create the first one. */
function Home({ session }: { session: Session }) {
  const [first, second] = session.properties
  if (!second) return <Redirect to={first ? `/properties/${first.id}` : '/new'} replace />
  return (
    <Frame session={session} page="sites">
      <Shown>
        <Sites />
      </Shown>
    </Frame>
  )
}

function PropertyRoute() {
  const { property: id } = useParams<{ property: string }>()
  const shared = useShare(id)
  if (shared) return shared.isOver ? <ShareEnded /> : <SharedProperty share={shared.share} />
  return (
    <SignedIn>
      {(session) => {
        const found = session.properties.find((candidate) => candidate.id === id)
        if (found)
          return <PropertyPages session={session} property={{ ...found, isShared: false, isDemo: session.is_demo }} />
        return <UnlistedProperty key={id} id={id} session={session} />
      }}
    </SignedIn>
  )
}

function SharedProperty({ share }: { share: Share }) {
  useRenewal(share)
  const property = { ...share.property, key: '', role: 'viewer', is_sample: false, isShared: true } as const
  return <PropertyPages session={undefined} property={property} />
}

/** The session does not list all of many properties: this one is requested by itself. */
function UnlistedProperty({ id, session }: { id: string; session: Session }) {
  const { data, error, refetch } = useQuery(detailsOf(id))
  if (data) {
    const { key, name, timezone, week_start, currency, is_sample } = data.property
    const shown = { id, key, name, timezone, week_start, currency: currency ?? 'USD' }
    const property = { ...shown, role: data.role, is_sample, isShared: false }
    return <PropertyPages session={session} property={property} />
  }
  const isNone = error instanceof ApiError && error.status === 404
  return (
    <Frame session={session}>
      {!error && <PageSkeleton />}
      {error && (isNone ? <NotFound /> : <ErrorState error={error} onRetry={refetch} />)}
    </Frame>
  )
}

function PropertyPages({ session, property }: { session: Session | undefined; property: CurrentProperty }) {
  const { '*': path = '' } = useParams<{ '*'?: string }>()
  const search = useSearch()
  const [name = '', ...rest] = path.split('/').filter(Boolean).map(decoded)
  // Its own URL is that of the property; people also type this one, which is like those of the other pages.
  if (name === 'overview' && rest.length === 0)
    return <Redirect to={`/properties/${property.id}${search && `?${search}`}`} replace />
  const id = name === '' ? 'overview' : name
  const isAllowed = property.isDemo ? !ownersPages.has(id) : !property.isShared || sharedPages.has(id)
  const Page = isAllowed && name !== 'overview' && Object.hasOwn(pages, id) ? pages[id] : undefined
  return (
    <PropertyProvider property={property}>
      <Frame session={session} property={property} page={id}>
        <Shown key={`${property.id} ${id}`}>{Page ? <Page rest={rest} /> : <NotFound />}</Shown>
      </Frame>
    </PropertyProvider>
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A page inside of the frame, which stays while the page is loaded or breaks down. */
const Shown = ({ children }: { children: ReactNode }) => (
  <Crash>
    <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
  </Crash>
)
