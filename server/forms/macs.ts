// Keyed hashes by which form sessions and submissions are compared without keeping what they are made of. Hex.
import { type Keys, mac } from '../kernel/keys.ts'

/** Of a visitor's address, within a property: the pin of a form session. */
export function addressMac(keys: Keys, propertyId: string, address: string): string {
  return mac(keys('form-visitor'), propertyId, 'address', address).toString('hex')
}

export function agentMac(keys: Keys, propertyId: string, agent: string): string {
  return mac(keys('form-visitor'), propertyId, 'agent', agent).toString('hex')
}

/** @param texts what was written, in the order of the form. */
export function textsMac(keys: Keys, propertyId: string, texts: readonly string[]): string {
  return mac(keys('form-answers'), propertyId, 'texts', ...texts).toString('hex')
}

export function signalsMac(keys: Keys, propertyId: string, members: readonly string[]): string {
  return mac(keys('form-answers'), propertyId, 'signals', ...members).toString('hex')
}
