// The way to the period before, or to the one after. Comma and full stop do the same.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useKeys } from '../keys.ts'
import { useToday } from '../today.ts'
import { type Choice, shifted } from '../shift.ts'
import { common as text } from '../texts/index.ts'
import { IconButton } from './button.tsx'

export interface TurnProps {
  readonly direction: 1 | -1
  readonly choice: Choice
  readonly onTurn: (choice: Choice) => void
}

export function Turn({ direction, choice, onTurn }: TurnProps) {
  const next = shifted(choice, direction, useToday())
  const [key, label] = direction === 1 ? ['.', text.period.later] : [',', text.period.earlier]
  const run = (): void => next && onTurn(next)
  useKeys([{ key, label, group: text.keys.period, run }])
  return (
    <IconButton
      label={label}
      icon={direction === 1 ? <ChevronRight /> : <ChevronLeft />}
      disabled={!next}
      onClick={run}
    />
  )
}
