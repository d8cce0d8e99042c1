// Loaded before a service: its clock begins at noon of 1 January 2027, when all that a store of before holds
// is over. NODE_OPTIONS=--import=…
const real = Date
const aheadMs = real.parse('2027-01-01T12:00:00Z') - real.now()

globalThis.Date = class extends real {
  constructor(...given) {
    if (given.length === 0) super(real.now() + aheadMs)
    else super(...given)
  }
  static now() {
    return real.now() + aheadMs
  }
}
