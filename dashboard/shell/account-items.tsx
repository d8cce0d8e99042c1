// What the menus at the foot of the navigation list. Loaded when they may be needed.
import {
  Archive,
  BookOpen,
  Keyboard,
  Languages,
  LogOut,
  Mail,
  Monitor,
  Moon,
  Sun,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { useLayoutEffect } from 'react'
import type { User } from '../api/session.ts'
import { useAreKeysOn } from '../keys.ts'
import { toastError } from '../parts/announce.tsx'
import { type MenuItem, MenuRows } from '../parts/popover.tsx'
import { apiPath } from '../place.ts'
import { leave } from '../session.tsx'
import { chooseLanguage, language, languageNames, shell as text } from '../texts/index.ts'
import { setTheme, type Theme, useTheme } from '../theme.ts'

interface MenuState {
  readonly close: () => void
  /** It is shown now: the focus can go to it. */
  readonly onReady: () => void
}

const themes: readonly { id: Theme; icon: MenuItem['icon'] }[] = [
  { id: 'system', icon: <Monitor /> },
  { id: 'light', icon: <Sun /> },
  { id: 'dark', icon: <Moon /> },
]

function useThemeItems(): MenuItem[] {
  const chosen = useTheme()
  return themes.map(({ id, icon }, index) => ({
    label: text.theme[id],
    icon,
    isChosen: id === chosen,
    startsGroup: index === 0,
    onSelect: () => setTheme(id),
  }))
}

/** With one language there is nothing to choose. */
const languageItems: readonly MenuItem[] = (languageNames.length > 1 ? languageNames : []).map(
  ({ id, name }, index) => ({
    label: name,
    icon: <Languages />,
    isChosen: id === language,
    startsGroup: index === 0,
    onSelect: () => chooseLanguage(id),
  }),
)

/** Of the installation. */
const ownerItems: readonly MenuItem[] = [
  { label: text.users, icon: <UsersRound />, href: '/users' },
  { label: text.mail, icon: <Mail />, href: '/mail' },
  { label: text.backups, icon: <Archive />, href: '/backups' },
]

export function AccountItems({ user, onKeys, close, onReady }: MenuState & { user: User; onKeys: () => void }) {
  useLayoutEffect(onReady, [onReady])
  const areKeysOn = useAreKeysOn()
  const themeItems = useThemeItems()
  const items: MenuItem[] = [
    { label: text.account, icon: <UserRound />, href: '/account' },
    ...(user.is_owner ? ownerItems : []),
    ...themeItems,
    ...languageItems,
    {
      label: text.keyboard,
      icon: <Keyboard />,
      hint: areKeysOn ? '?' : undefined,
      startsGroup: true,
      onSelect: onKeys,
    },
    {
      label: text.documentation,
      icon: <BookOpen />,
      onSelect: () => window.open(`${apiPath}/docs`, '_blank', 'noopener'),
    },
    { label: text.signOut, icon: <LogOut />, startsGroup: true, onSelect: () => void leave().catch(toastError) },
  ]
  return <MenuRows items={items} close={close} />
}

/** For people without an account: visitors of a share link. */
export function ThemeItems({ close, onReady }: MenuState) {
  useLayoutEffect(onReady, [onReady])
  const items = [...useThemeItems().map((item) => ({ ...item, startsGroup: false })), ...languageItems]
  return <MenuRows items={items} close={close} />
}
