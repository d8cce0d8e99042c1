// Who is signed in, the theme, and the way out.
import { BookOpen, Keyboard, Languages, LogOut, Mail, Monitor, Moon, Sun, UserRound, UsersRound } from 'lucide-react'
import type { User } from '../api/session.ts'
import { useAreKeysOn } from '../keys.ts'
import { toastError } from '../parts/announce.tsx'
import { Avatar } from '../parts/marks.tsx'
import { Menu, type MenuItem } from '../parts/popover.tsx'
import { apiPath } from '../place.ts'
import { leave } from '../session.tsx'
import { chooseLanguage, language, languageNames, shell as text } from '../texts/index.ts'
import { setTheme, type Theme, useTheme } from '../theme.ts'
import styles from './account-menu.module.css'

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
]

export function AccountMenu({ user, onKeys }: { user: User; onKeys: () => void }) {
  const name = user.name || user.email
  const button = (
    <>
      <Avatar name={name} />
      <span className={styles.name}>{name}</span>
    </>
  )
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
  return <Menu button={button} buttonClass={styles.button} items={items} />
}

/** For people without an account: visitors of a share link. */
export function ThemeMenu() {
  const items = [...useThemeItems().map((item) => ({ ...item, startsGroup: false })), ...languageItems]
  const chosen = useTheme()
  return (
    <Menu
      button={themes.find(({ id }) => id === chosen)?.icon}
      label={text.theme.label}
      buttonClass={styles.icon}
      items={items}
    />
  )
}
