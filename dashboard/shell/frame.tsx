// The frame around the pages: navigation at the side or behind a button, the page, the list of keys.
import { Keyboard, Menu as MenuIcon, Search, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Session } from '../api/session.ts'
import { useKeys } from '../keys.ts'
import { noteProperty } from '../last.ts'
import { later } from '../later.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { cx } from '../parts/cx.ts'
import { focusHeading } from '../parts/heading-focus.ts'
import { Key } from '../parts/marks.tsx'
import { printedKeys } from '../printed-keys.ts'
import type { CurrentProperty } from '../session.tsx'
import { leaveShare } from '../share.ts'
import { common, shell as text, withTexts } from '../texts/index.ts'
import { AccountMenu, ThemeMenu } from './account-menu.tsx'
import styles from './frame.module.css'
import { Mark } from './mark.tsx'
import { Navigation, WayBack } from './navigation.tsx'
import { SampleMark } from './sample-mark.tsx'
import { PropertySwitcher } from './switcher.tsx'

const KeysDialog = lazy(later(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog })))
const Palette = lazy(
  later(withTexts(['palette', 'settings'], async () => ({ default: (await import('./palette.tsx')).Palette }))),
)
const PALETTE_KEY = 'mod+k'

export interface FrameProps {
  /** Undefined for visitors of a share link. */
  readonly session: Session | undefined
  readonly property?: CurrentProperty | undefined
  readonly page?: string | undefined
  readonly children: ReactNode
}

export function Frame({ session, property, page, children }: FrameProps) {
  const [path] = useLocation()
  // It closes by itself when the page changes.
  const [menuOpenAt, setMenuOpenAt] = useState<string>()
  const isMenuOpen = menuOpenAt === path
  const [dialog, setDialog] = useState<'palette' | 'keys'>()
  const main = useFocusOnChange(`${property?.id} ${page ?? path}`, path)
  const showPalette = (): void => setDialog('palette')
  const showKeys = (): void => setDialog('keys')
  useDialogKeys(showPalette, showKeys)
  const menuButton = useRef<HTMLDivElement>(null)
  const closeMenu = (): void => {
    setMenuOpenAt(undefined)
    menuButton.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
  }
  // Added when it opens, and so before what Escape does on the page.
  useKeys(isMenuOpen ? [{ key: 'escape', run: closeMenu }] : [])
  useNoted(property)

  return (
    <div className={styles.frame}>
      <a href="#main" className={styles.skip}>
        {common.skipToContent}
      </a>
      <header className={cx(styles.side, isMenuOpen && styles.open)}>
        <div className={styles.top}>
          <Top session={session} property={property} page={page} />
          <div ref={menuButton} className={styles.menuButton}>
            <IconButton label={text.search} icon={<Search />} onClick={showPalette} />
            <IconButton
              label={isMenuOpen ? text.closeMenu : text.openMenu}
              aria-expanded={isMenuOpen}
              aria-controls="navigation"
              icon={isMenuOpen ? <X /> : <MenuIcon />}
              onClick={() => setMenuOpenAt(isMenuOpen ? undefined : path)}
            />
          </div>
        </div>
        <div id="navigation" className={styles.folding}>
          <SearchButton onOpen={showPalette} />
          <nav aria-label={text.navigation} className={styles.navigation}>
            {property && <Navigation property={property} page={page} />}
            {session && !property && page !== 'sites' && <WayBack properties={session.properties} />}
          </nav>
          <Foot user={session?.is_demo ? null : session?.user} onKeys={showKeys} />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} className={cx(styles.main, page === 'overview' && styles.wide)}>
        <div className={styles.page}>{children}</div>
        <Credit version={session?.version} />
      </main>
      <Suspense>
        {dialog === 'palette' && <Palette session={session} property={property} onClose={() => setDialog(undefined)} />}
        {dialog === 'keys' && <KeysDialog onClose={() => setDialog(undefined)} />}
      </Suspense>
    </div>
  )
}

function Top({ session, property, page }: Omit<FrameProps, 'children'>) {
  return (
    <>
      {session ? (
        <PropertySwitcher
          properties={session.properties}
          current={property}
          canAdd={session.user?.is_owner ?? false}
          page={page}
        />
      ) : (
        <SharedName name={property?.name ?? ''} />
      )}
      {property?.is_sample && (
        <div className={styles.sample}>
          <SampleMark propertyId={property.id} canRemove={session?.user?.is_owner ?? false} />
        </div>
      )}
    </>
  )
}

function useDialogKeys(showPalette: () => void, showKeys: () => void): void {
  const group = common.keys.general
  useKeys([
    { key: PALETTE_KEY, label: common.keys.palette, group, run: showPalette },
    { key: '?', label: common.keys.help, group, run: showKeys },
  ])
}

function useNoted(property: CurrentProperty | undefined): void {
  useEffect(() => {
    if (property && !property.isShared) noteProperty(property.id)
  }, [property])
}

/** Looks like the field that it opens. */
const SearchButton = ({ onOpen }: { onOpen: () => void }) => (
  <button type="button" className={styles.search} onClick={onOpen} aria-haspopup="dialog">
    <Search aria-hidden="true" />
    <span>{text.search}</span>
    {printedKeys(PALETTE_KEY).map((key) => (
      <Key key={key}>{key}</Key>
    ))}
  </button>
)

function Foot({ user, onKeys }: { user: Session['user'] | undefined; onKeys: () => void }) {
  return (
    <div className={styles.foot}>
      {user ? (
        <AccountMenu user={user} onKeys={onKeys} />
      ) : (
        <div className={styles.sharedFoot}>
          <Mark /> <ThemeMenu />
          <IconButton label={text.keyboard} icon={<Keyboard />} onClick={onKeys} />
        </div>
      )}
    </div>
  )
}

/** Places of visitors come from DB-IP, whose licence asks for the link on pages that show them. */
function Credit({ version }: { version: string | null | undefined }) {
  return (
    <p className={styles.credit}>
      {[common.product, version].filter(Boolean).join(' ')} · {text.geolocation}{' '}
      <a href="https://db-ip.com" target="_blank" rel="noopener noreferrer">
        DB-IP
      </a>
    </p>
  )
}

function SharedName({ name }: { name: string }) {
  const leave = (): void => {
    leaveShare()
    location.reload()
  }
  return (
    <div className={styles.shared}>
      <div>
        <strong>{name}</strong>
        <span>{text.shared}</span>
      </div>
      <Button size="small" look="quiet" onClick={leave}>
        {text.leaveShare}
      </Button>
    </div>
  )
}

/** What was shown last, in whatever frame: a route has one of its own. */
let shown: { readonly page: string; readonly path: string } | undefined

/**
 * After a change of page the focus moves to its heading, and within a page when what had it is gone. On the
 * first page the browser has placed it.
 */
function useFocusOnChange(page: string, path: string) {
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = shown
    shown = { page, path }
    if (!before || before.path === path) return
    if (before.page !== page) window.scrollTo(0, 0)
    else if (document.activeElement !== document.body) return
    if (main.current) focusHeading(main.current)
  }, [page, path])
  return main
}
