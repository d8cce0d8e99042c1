// A button with a floating panel, and a menu: native popovers, placed beside their button.
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  type ToggleEvent,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { Check } from 'lucide-react'
import buttonStyles from './button.module.css'
import { cx } from './cx.ts'
import { type Align, placeBeside } from './placing.ts'
import styles from './popover.module.css'
import { SkeletonLines } from './states.tsx'

export interface PopoverProps {
  /** What the button shows. */
  readonly button: ReactNode
  /** The button's name when what it shows is no text. */
  readonly label?: string | undefined
  /** Takes the place of the look of a button. */
  readonly buttonClass?: string | undefined
  readonly align?: Align | undefined
  readonly role?: 'menu' | 'dialog' | undefined
  readonly className?: string | undefined
  /** From outside, to open or close it. */
  readonly handle?: RefObject<HTMLDivElement | null> | undefined
  readonly onOpen?: (() => void) | undefined
  /** Only made while it is open. `settle` places it and moves the focus there, for what is loaded late. */
  readonly children: (close: () => void, settle: () => void) => ReactNode
}

export function Popover(props: PopoverProps) {
  const { button, label, buttonClass, align = 'start', role = 'dialog', className, onOpen, children } = props
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const own = useRef<HTMLDivElement>(null)
  const panel = props.handle ?? own
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => panel.current?.hidePopover(), [panel])
  const settle = useCallback(() => settleBeside(panel.current, anchor.current, align), [panel, align])

  const onToggle = (event: ToggleEvent<HTMLDivElement>): void => {
    // Only now: the browser gives the focus back to the button from what is still there.
    if (event.newState === 'closed') setOpen(false)
    if (event.newState !== 'open') return
    settle()
    onOpen?.()
  }

  return (
    <>
      <button
        ref={anchor}
        id={`${id}-button`}
        type="button"
        popoverTarget={id}
        aria-haspopup={role}
        aria-expanded={isOpen}
        aria-label={label}
        className={buttonClass ?? cx(buttonStyles.button, buttonStyles.plain)}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={role}
        aria-labelledby={`${id}-button`}
        className={cx(styles.panel, className)}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') setOpen(true)
          delete event.currentTarget.dataset['placed']
        }}
        onToggle={onToggle}
        onKeyDown={role === 'menu' ? moveInMenu : undefined}
      >
        {isOpen && <Suspense fallback={<SkeletonLines />}>{children(close, settle)}</Suspense>}
      </div>
    </>
  )
}

function settleBeside(panel: HTMLElement | null, anchor: HTMLElement | null, align: Align): void {
  if (!anchor || !panel?.matches(':popover-open')) return
  placeBeside(panel, anchor, align)
  panel.dataset['placed'] = ''
  focusFirst(panel)
}

const focusables = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'

function focusFirst(panel: HTMLElement): void {
  const target =
    panel.querySelector<HTMLElement>('[autofocus], [aria-checked=true], [aria-current=true]') ??
    panel.querySelector<HTMLElement>(focusables)
  target?.focus()
}

/** Arrows, Home and End, and the first letter, as in any menu. */
function moveInMenu(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = targetOf(event.key, items, at)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function targetOf(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const inOrder = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return inOrder.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

export interface MenuItem {
  readonly label: string
  readonly icon?: ReactNode
  /** At the end of the row: a key, a count. */
  readonly hint?: ReactNode
  /** A path of the dashboard; otherwise `onSelect`. */
  readonly href?: string | undefined
  readonly onSelect?: (() => void) | undefined
  /** True or false makes it one of a set of choices. */
  readonly isChosen?: boolean | undefined
  readonly isDanger?: boolean | undefined
  readonly isDisabled?: boolean | undefined
  /** A line above it. */
  readonly startsGroup?: boolean | undefined
}

export interface MenuProps extends Omit<PopoverProps, 'children' | 'role'> {
  readonly items: readonly MenuItem[]
}

export const Menu = ({ items, ...rest }: MenuProps) => (
  <Popover {...rest} role="menu">
    {(close) => <MenuRows items={items} close={close} />}
  </Popover>
)

/** What a menu lists: by itself for one whose items are loaded when it may be needed. */
export const MenuRows = ({ items, close }: Pick<MenuProps, 'items'> & { close: () => void }) =>
  items.map((item) => (
    <Fragment key={item.label}>
      {item.startsGroup && <hr className={styles.separator} />}
      <MenuRow item={item} close={close} />
    </Fragment>
  ))

function MenuRow({ item, close }: { item: MenuItem; close: () => void }) {
  const filling = (
    <>
      {item.icon}
      <span className={styles.itemLabel}>{item.label}</span>
      {item.hint !== undefined && <span className={styles.hint}>{item.hint}</span>}
      {item.isChosen && <Check className={styles.check} aria-hidden="true" />}
    </>
  )
  const className = cx(styles.item, item.isDanger && styles.danger)
  const choice = item.isChosen === undefined ? {} : { 'aria-checked': item.isChosen }
  const role = item.isChosen === undefined ? 'menuitem' : 'menuitemradio'
  if (item.href !== undefined)
    return (
      <Link href={item.href} role={role} {...choice} className={className} onClick={close}>
        {filling}
      </Link>
    )
  const select = (): void => {
    close()
    item.onSelect?.()
  }
  return (
    <button type="button" role={role} {...choice} disabled={item.isDisabled} className={className} onClick={select}>
      {filling}
    </button>
  )
}
