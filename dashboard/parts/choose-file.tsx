// A button that lets somebody choose a file of rows.
import { type ComponentProps, useRef } from 'react'
import { Button } from './button.tsx'

interface ChooseFileButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'icon' | 'children'> {
  /** What the file is, for screen readers. */
  readonly label: string
  readonly onFile: (file: File) => void
}

export function ChooseFileButton({ label, onFile, ...button }: ChooseFileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
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
