// `footfall doctor`: is everything in place? Changes nothing: what the first start would create is not
// created here.
import { answer, readOptions, write } from './command.ts'
import { checks, runChecks } from './doctor-checks.ts'
import type { Finding } from './doctor-verdict.ts'

const usage = `footfall doctor [--json]

Checks the Node version, settings, data folder, secret, both databases, the newest backup, the mail server, the age of the geo
files and exchange rates, the clock, the port, and whether requests come through a proxy that TRUST_PROXY does not name.
Exit code 0 if everything is fine, 1 otherwise.`

const signs = { ok: '✓', warn: '!', wrong: '✗' } as const

function lineOf({ state, name, says }: Finding): string {
  return `${signs[state]} ${name.padEnd(12)}${says}`
}

function lastLine(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  return count('wrong') === 0 ? 'Nothing is wrong.' : `${count('wrong')} wrong, ${count('warn')} to look at.`
}

export async function doctor(args: string[]): Promise<number> {
  const { values } = readOptions(args, {})
  if (values.help) {
    write(usage)
    return 0
  }
  const findings = await runChecks(checks)
  const isFine = findings.every((finding) => finding.state !== 'wrong')
  answer(values.json, { ok: isFine, checks: findings }, [...findings.map(lineOf), '', lastLine(findings)])
  return isFine ? 0 : 1
}
