// How a form closes the dialog that it is in.
import { createContext } from 'react'

/** Undefined outside of dialogs, and in those that bring buttons of their own. */
export const ClosingContext = createContext<(() => void) | undefined>(undefined)
