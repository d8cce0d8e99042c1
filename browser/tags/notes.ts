// What form.js loads on pages that ask for a look of notes.
import { styleNotes } from '../notes.ts'

if (document.currentScript) styleNotes(document.currentScript.nonce)
