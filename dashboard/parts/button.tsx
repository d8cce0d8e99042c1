// What is pressed: buttons, round ones with an icon alone, and links that look like them.
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { Tooltip } from './tooltip.tsx'

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger'

interface Looks {
  /** One primary button a view; danger for what cannot be undone. */
  readonly look?: ButtonLook | undefined
  readonly size?: 'small' | 'normal' | undefined
  readonly icon?: ReactNode
}

export interface ButtonProps extends ComponentProps<'button'>, Looks {
  /** Busy buttons keep their size and take no second press. */
  readonly isBusy?: boolean | undefined
  /** There is nothing to do for it: unlike a disabled button, it keeps the focus of who pressed it. */
  readonly isIdle?: boolean | undefined
}

function classOf({ look = 'plain', size = 'normal' }: Looks, className?: string): string {
  return cx(styles.button, styles[look], size === 'small' && styles.small, className)
}

export function Button(props: ButtonProps) {
  const { look, size, icon, isBusy = false, isIdle = false, className, children, disabled, ...rest } = props
  return (
    <button
      type="button"
      className={classOf({ look, size }, className)}
      disabled={disabled}
      aria-busy={isBusy || undefined}
      aria-disabled={isIdle || undefined}
      {...rest}
      onClick={isBusy || isIdle ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon}
      <span className={cx(styles.words, isBusy && styles.busy)}>{children}</span>
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
    </button>
  )
}

export interface LinkButtonProps extends Looks {
  /** A path of the dashboard. */
  readonly href: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function LinkButton({ href, look, size, icon, className, children }: LinkButtonProps) {
  return (
    <Link href={href} className={classOf({ look, size }, className)}>
      {icon}
      <span className={styles.words}>{children}</span>
    </Link>
  )
}

/** Saves a file that the service makes, of any size: the browser fetches it itself. */
export function FileButton({
  href,
  label,
  look,
  size,
  icon,
  children,
}: Omit<LinkButtonProps, 'className'> & { readonly label?: string }) {
  return (
    <a href={href} download aria-label={label} className={classOf({ look, size })}>
      {icon}
      <span className={styles.words}>{children}</span>
    </a>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Read out, and shown on hover. */
  readonly label: string
  readonly icon: ReactNode
  readonly size?: 'small' | 'normal' | undefined
}

export function IconButton({ label, icon, size = 'normal', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip words={label} isLabel>
      <button
        type="button"
        aria-label={label}
        className={cx(styles.icon, size === 'small' && styles.iconSmall, className)}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
