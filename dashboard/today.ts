// Which day it is on the calendar of the property whose page this is.
import { useContext } from 'react'
import { today } from './format.ts'
import { PropertyContext } from './session.tsx'
import type { Today } from './shift.ts'

export function useToday(): Today {
  return { day: today(), weekStart: useContext(PropertyContext)?.week_start ?? 'monday' }
}
