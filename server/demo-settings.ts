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
      'on: this installation shows the sample data to anybody, without an account, and nobody can change anything by HTTP: no signing in, no tokens, no settings, no visitors’ calls. For a public demonstration alone, with a DATA_DIR of its own.',
  },
} as const
