// What form.js asks for when somebody begins with a form, and takes from its tag.
import { openFilling } from '../filling.ts'

if (document.currentScript) Object.assign(document.currentScript, { openFilling })
