// Who is signed in, the theme, and the way out.
import { Monitor, Moon, Sun } from 'lucide-react'
import { lazy } from 'react'
import type { User } from '../api/session.ts'
import { soon } from '../later.ts'
import { Avatar } from '../parts/marks.tsx'
import { Popover } from '../parts/popover.tsx'
import { shell as text } from '../texts/index.ts'
import { useTheme } from '../theme.ts'
import styles from './account-menu.module.css'

const AccountItems = lazy(soon(async () => ({ default: (await import('./account-items.tsx')).AccountItems })))
const ThemeItems = lazy(soon(async () => ({ default: (await import('./account-items.tsx')).ThemeItems })))

export function AccountMenu({ user, onKeys }: { user: User; onKeys: () => void }) {
  const name = user.name || user.email
  const button = (
    <>
      <Avatar name={name} />
      <span className={styles.name}>{name}</span>
    </>
  )
  return (
    <Popover button={button} buttonClass={styles.button} role="menu">
      {(close, settle) => <AccountItems user={user} onKeys={onKeys} close={close} onReady={settle} />}
    </Popover>
  )
}

const themeIcons = { system: <Monitor />, light: <Sun />, dark: <Moon /> }

/** For people without an account: visitors of a share link. */
export function ThemeMenu() {
  return (
    <Popover button={themeIcons[useTheme()]} label={text.theme.label} buttonClass={styles.icon} role="menu">
      {(close, settle) => <ThemeItems close={close} onReady={settle} />}
    </Popover>
  )
}
