// The pages of a property. Each is loaded when it is shown, when a pointer comes near its link, or at the
// start.
import { lazy, type LazyExoticComponent, type ReactNode } from 'react'
import { later } from './later.ts'
import { basePath } from './place.ts'
import { withTexts } from './texts/index.ts'

export interface PageProps {
  /** What stands behind the page's name in the path: ['ln_1'] for /properties/pr_1/links/ln_1. */
  readonly rest: readonly string[]
}

type Page = (props: PageProps) => ReactNode
type Load = () => Promise<{ default: Page }>

/** The names are those of the navigation, and of the path. */
const loads: Readonly<Record<string, Load>> = {
  overview: withTexts(['overview'], () => import('./pages/overview/page.tsx')),
  live: withTexts(['live', 'sessions'], () => import('./pages/live/page.tsx')),
  sessions: withTexts(['sessions'], () => import('./pages/sessions/page.tsx')),
  contacts: withTexts(['contacts', 'history'], () => import('./pages/contacts/page.tsx')),
  links: withTexts(['content', 'history', 'link', 'links', 'overview'], () => import('./pages/links/page.tsx')),
  goals: withTexts(['goals', 'automations', 'overview', 'sessions'], () => import('./pages/goals/page.tsx')),
  forms: withTexts(['forms', 'history'], () => import('./pages/forms/page.tsx')),
  automations: withTexts(['automations'], () => import('./pages/automations/page.tsx')),
  content: withTexts(['content', 'history'], () => import('./pages/content/page.tsx')),
  bots: withTexts(['bots'], () => import('./pages/bots/page.tsx')),
  settings: withTexts(['settings', 'data', 'forms', 'left', 'team'], () => import('./pages/settings/page.tsx')),
  speed: withTexts(['speed'], () => import('./pages/speed/page.tsx')),
  start: withTexts(['start', 'platforms'], () => import('./pages/start/page.tsx')),
  ...(import.meta.env.DEV && { gallery: withTexts([], () => import('./pages/gallery/page.tsx')) }),
}

export const pages: Readonly<Record<string, LazyExoticComponent<Page>>> = Object.fromEntries(
  Object.entries(loads).map(([name, load]) => [name, lazy(later(load))]),
)

/** A page that cannot be loaded says so when it is shown. */
export function preload(name: string): void {
  if (Object.hasOwn(loads, name)) loads[name]?.().catch(() => undefined)
}

/** Loads the page of this address while the session is still being requested. */
export function preloadFirst(): void {
  const path = location.pathname.slice(basePath.length)
  const [, name = 'overview'] = /^\/properties\/[^/]+(?:\/([^/]+))?\/?/.exec(path) ?? [undefined, '']
  preload(name)
}
