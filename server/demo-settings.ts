// The setting of an installation that is there to be looked at.
import { oneOf } from './setting-values.ts'

export const demoSettings = {
  DEMO: {
    key: 'isDemo',
    type: 'on or off',
    default: 'off',
    fallback: false,
    read: oneOf({ on: true, off: false }),
    sentence:
      'on: shows sample data to anyone without an account, and nothing can be changed over HTTP: no sign-in, no tokens, no settings, no tracking. Only for a public demo, with its own DATA_DIR.',
  },
} as const
