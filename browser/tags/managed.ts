// What form.js loads when there is a managed form on the page.
import type { Forms } from '../form.ts'
import { watchManaged } from '../managed.ts'

const { forms } = document.currentScript as HTMLScriptElement & { readonly forms?: Forms }
if (forms) watchManaged(forms)
