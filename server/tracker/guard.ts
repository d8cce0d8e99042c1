// What a property refuses from browsers: anything sent with only its public key may be forged. Each refusal
// is counted.
import { invalid } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import type { AcquisitionDraft } from '../sessions/sessions.ts'
import type { Refusals } from './refusals.ts'

interface Refused {
  readonly success: false
  readonly message: string
}

const revenueRefused: Refused = { success: false, message: 'Revenue is accepted with an access token only' }
const identificationRefused: Refused = {
  success: false,
  message: 'Identification is accepted with an access token only',
}

export interface Guard {
  /** Tags alone are no revenue; a currency changes how all revenue of the session is reported. */
  revenue(property: Property, draft: AcquisitionDraft): Refused | undefined
  identification(property: Property): Refused | undefined
  /** @throws Problem('validation_failed') for more than a browser may report at once. */
  checkUsd(property: Property, cents: number): void
}

export function openGuard(refusals: Pick<Refusals, 'note'>): Guard {
  return {
    revenue({ id, is_token_only }, { value, currency_code }) {
      if (!is_token_only || (value === undefined && currency_code === undefined)) return undefined
      refusals.note(id, 'revenue')
      return revenueRefused
    },
    identification({ id, is_token_only }) {
      if (!is_token_only) return undefined
      refusals.note(id, 'identify')
      return identificationRefused
    },
    checkUsd({ id, browser_max_usd }, cents) {
      if (cents <= browser_max_usd * 100) return
      refusals.note(id, 'amount')
      const most = browser_max_usd.toLocaleString('en-US')
      throw invalid('value', `Without an access token, the value may be at most ${most} US dollars.`)
    },
  }
}
