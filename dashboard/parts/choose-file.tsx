// A button that lets somebody choose a file: one of rows, unless it says otherwise.
import { type ComponentProps, useRef } from 'react'
import { Button } from './button.tsx'

interface ChooseFileButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'icon' | 'children'> {
  /** What the file is, for screen readers. */
  readonly label: string
  /** As of an input. */
  readonly accept?: string
  readonly onFile: (file: File) => void
}

const ROWS = '.csv,.tsv,.txt,text/csv'

export function ChooseFileButton({ label, accept = ROWS, onFile, ...button }: ChooseFileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = '' // so that the same one can be chosen again
          if (file) onFile(file)
        }}
      />
    </>
  )
}
