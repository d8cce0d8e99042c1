#!/usr/bin/env node
// The command line: finds the command and turns its errors into one line and an exit code. Each command has a
// file beside this one.
import { Problem } from '../server/kernel/problem.ts'
import { SettingError } from '../server/config.ts'
import { type Command, UsageError, write } from './command.ts'

interface Entry {
  readonly says: string
  /** Loaded on demand: `property` does not need the facts' engine. */
  readonly load: () => Promise<Command>
}

const commands: Readonly<Record<string, Entry>> = {
  serve: { says: 'run the server until it is stopped', load: async () => (await import('./serve.ts')).serve },
  migrate: { says: 'bring both stores up to date', load: async () => (await import('./migrate.ts')).migrate },
  move: { says: 'carry everything to servers, or back', load: async () => (await import('./move.ts')).move },
  upgrade: {
    says: 'what the next start will migrate, and how to go back',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
  property: { says: 'create, change or list properties', load: async () => (await import('./property.ts')).property },
  token: { says: 'create, list or revoke access tokens', load: async () => (await import('./token.ts')).token },
  user: {
    says: 'add or list people who sign in, reset a password',
    load: async () => (await import('./user.ts')).user,
  },
  contacts: { says: 'import or export contacts', load: async () => (await import('./contacts.ts')).contacts },
  contact: { says: 'erase a person', load: async () => (await import('./contact.ts')).contact },
  group: { says: 'create or list groups of short links', load: async () => (await import('./group.ts')).group },
  links: { says: 'create short links from a file, list, export', load: async () => (await import('./links.ts')).links },
  form: { says: 'make, change, publish or delete forms', load: async () => (await import('./form.ts')).form },
  submissions: {
    says: 'list, mark, delete or export what was sent through forms',
    load: async () => (await import('./submissions.ts')).submissions,
  },
  conversion: {
    says: 'define, list or delete conversions',
    load: async () => (await import('./conversion.ts')).conversion,
  },
  automation: {
    says: 'webhooks: create, switch, test, watch',
    load: async () => (await import('./automation.ts')).automation,
  },
  content: {
    says: 'content blocks: versions, weights, history, results',
    load: async () => (await import('./content.ts')).content,
  },
  invalid: {
    says: 'mark sessions that should not count, take it back',
    load: async () => (await import('./invalid.ts')).invalid,
  },
  export: {
    says: 'everything as files: CSV, Parquet, JSON',
    load: async () => (await import('./export.ts')).exportFiles,
  },
  backup: { says: 'take a backup, list and check them', load: async () => (await import('./backup.ts')).backup },
  restore: { says: 'make a DATA_DIR of a backup', load: async () => (await import('./restore.ts')).restore },
  demo: { says: 'write a year of plausible traffic', load: async () => (await import('./demo.ts')).demo },
  geo: { says: 'refresh the files of places and networks', load: async () => (await import('./geo.ts')).geo },
  mail: { says: 'send a test email', load: async () => (await import('./mail.ts')).mail },
  rates: { says: 'refresh the currency rates', load: async () => (await import('./rates.ts')).rates },
  secret: { says: 'change the secret on purpose', load: async () => (await import('./secret.ts')).secret },
  routes: { says: 'list the endpoints and who may call them', load: async () => (await import('./routes.ts')).routes },
  health: {
    says: 'ask the running service whether it is alive',
    load: async () => (await import('./health.ts')).health,
  },
  doctor: { says: 'check that everything is in place', load: async () => (await import('./doctor.ts')).doctor },
}

const usage = [
  'footfall <command> [options]',
  '',
  ...Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(13)}${says}`),
  '',
  'Each command knows --help and --json. Settings come from the environment: docs/settings.md.',
].join('\n')

function fail(text: string, code: number): number {
  process.stderr.write(`footfall: ${text}\n`)
  return code
}

/**
 * Errors whose words are meant for people; of any other the message, never its fields: drivers put addresses
 * and passwords there.
 */
function explain(error: unknown): string {
  if (error instanceof Problem && error.errors) return Object.values(error.errors).flat().join(' ')
  return error instanceof Error ? error.message : String(error)
}

async function run(name: string, args: string[]): Promise<number> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!entry) return fail(`there is no command "${name}"; footfall --help lists them`, 2)
  try {
    const command = await entry.load()
    return await command(args)
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}; see footfall ${name} --help`, 2)
    if (error instanceof SettingError) return fail(`the setting ${error.message}`, 1)
    return fail(explain(error), 1)
  }
}

/** @returns the exit code. */
export async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined) return fail(`which command?\n\n${usage}`, 2)
  if (name !== '--help' && name !== '-h' && name !== 'help') return run(name, args)
  write(usage)
  return 0
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
