// What form.js loads when somebody begins with a form.
import { openFilling } from '../filling.ts'

if (document.currentScript) Object.assign(document.currentScript, { openFilling })
