// What is taken along: texts and snippets with a copy button, and secrets that are shown once.
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { common as text } from '../texts/index.ts'
import { announce } from './announce.tsx'
import { Button, IconButton } from './button.tsx'
import styles from './copy.module.css'
import { Checkbox } from './fields.tsx'
import { Note } from './states.tsx'

const SHOWN_MS = 2_000

/** Where the clipboard is shut (http, old browsers) the text is selected instead, to be copied by hand. */
async function copyText(words: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(words)
    return true
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown)
    return document.execCommand('copy')
  }
}

/** False where the clipboard is shut; nothing is selected then. */
export async function copyToClipboard(words: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(words)
    return true
  } catch {
    return false
  }
}

function useCopy(words: string, onCopied?: () => void) {
  const shown = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async (): Promise<void> => {
    if (!(await copyText(words, shown.current))) return
    onCopied?.()
    setCopied(true)
    announce(text.actions.copied)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return { shown, isCopied, copy: () => void copy() }
}

export interface CopyableProps {
  readonly words: string
  readonly label?: string
  /** What is copied, where more is taken along than is shown. */
  readonly copies?: string
}

/** One line: a key, an address. */
export function Copyable({ words, label = text.actions.copy, copies = words }: CopyableProps) {
  const { shown, isCopied, copy } = useCopy(copies)
  return (
    <span className={styles.copyable}>
      <code ref={shown}>{words}</code>
      <IconButton
        size="small"
        label={isCopied ? text.actions.copied : label}
        icon={isCopied ? <Check /> : <Copy />}
        onClick={copy}
      />
    </span>
  )
}

/** For what stands elsewhere in the row. */
export function CopyButton({ words, label }: { words: string; label: string }) {
  const { isCopied, copy } = useCopy(words)
  return (
    <IconButton
      size="small"
      label={isCopied ? text.actions.copied : label}
      icon={isCopied ? <Check /> : <Copy />}
      onClick={copy}
    />
  )
}

/** Several lines, kept as they are. */
export function CodeBlock({ code, label, onCopied }: { code: string; label: string; onCopied?: () => void }) {
  const { shown, isCopied, copy } = useCopy(code, onCopied)
  return (
    <div className={styles.block}>
      <pre tabIndex={0} aria-label={label}>
        <code ref={shown}>{code}</code>
      </pre>
      <Button size="small" className={styles.blockCopy} icon={isCopied ? <Check /> : <Copy />} onClick={copy}>
        {isCopied ? text.actions.copied : text.actions.copy}
      </Button>
    </div>
  )
}

export interface SecretOnceProps {
  readonly label: string
  readonly secret: string
  /** Called when the reader says that the secret is kept. */
  readonly onDone: () => void
  readonly hint?: ReactNode
  readonly done?: string | undefined
  /** Another one can be created at any time: nobody is held up for it. */
  readonly isRepeatable?: boolean | undefined
}

/** A token or a signing secret: it is copied, or the reader says that it is kept, before going on. */
export function SecretOnce({
  label,
  secret,
  onDone,
  hint = text.secret.once,
  done = text.actions.done,
  isRepeatable = false,
}: SecretOnceProps) {
  const [isKept, setKept] = useState(false)
  return (
    <div className={styles.secret}>
      <Note tone="warn">{hint}</Note>
      <CodeBlock code={secret} label={label} onCopied={() => setKept(true)} />
      {!isRepeatable && <Checkbox label={text.secret.kept} isOn={isKept} onChange={setKept} />}
      <div className={styles.secretDone}>
        <Button look="primary" disabled={!isKept && !isRepeatable} onClick={onDone}>
          {done}
        </Button>
      </div>
    </div>
  )
}
