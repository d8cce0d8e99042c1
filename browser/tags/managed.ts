// What form.js asks for when there is a managed form on the page, and hands its functions to.
import type { Forms } from '../form.ts'
import { watchManaged } from '../managed.ts'

const { forms } = document.currentScript as HTMLScriptElement & { readonly forms?: Forms }
if (forms) watchManaged(forms)
