// The start: the language is chosen, and its texts are loaded before the code that reads them.
import '../dist/typeface/typeface.css'
import { later } from './later.ts'
import { preloadFirst } from './pages.ts'
import { language, withTexts } from './texts/index.ts'

document.documentElement.lang = language
void later(withTexts([], () => import('./dashboard.tsx')))()
preloadFirst()
