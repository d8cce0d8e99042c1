// The words in which the checks of `footfall doctor` report.
import type { Config } from '../server/config.ts'

export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'wrong'
  readonly says: string
}

/** What is known about the environment when a check runs. */
export interface Scene {
  readonly config: Config
  /** A Footfall answers on the configured port: it has the embedded facts open. */
  readonly isServing: boolean
}

export type Verdict = Omit<Finding, 'name'>
export type Check = (scene: Scene) => Verdict | Promise<Verdict>

export const ok = (says: string): Verdict => ({ state: 'ok', says })
export const warn = (says: string): Verdict => ({ state: 'warn', says })
export const wrong = (says: string): Verdict => ({ state: 'wrong', says })
