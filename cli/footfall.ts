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
  migrate: { says: 'migrate both databases', load: async () => (await import('./migrate.ts')).migrate },
  move: { says: 'move the data to database servers, or back', load: async () => (await import('./move.ts')).move },
  upgrade: {
    says: 'show what the next start will migrate',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
  property: { says: 'create, edit or list properties', load: async () => (await import('./property.ts')).property },
  token: { says: 'create, list or revoke API tokens', load: async () => (await import('./token.ts')).token },
  user: {
    says: 'create or list accounts, reset a password',
    load: async () => (await import('./user.ts')).user,
  },
  contacts: { says: 'import or export contacts', load: async () => (await import('./contacts.ts')).contacts },
  contact: { says: 'erase a person', load: async () => (await import('./contact.ts')).contact },
  group: { says: 'create or list groups of short links', load: async () => (await import('./group.ts')).group },
  links: { says: 'import, list or export short links', load: async () => (await import('./links.ts')).links },
  form: { says: 'create, edit, publish or delete forms', load: async () => (await import('./form.ts')).form },
  submissions: {
    says: 'list, mark, delete or export form submissions',
    load: async () => (await import('./submissions.ts')).submissions,
  },
  conversion: {
    says: 'create, list or delete conversions (goals)',
    load: async () => (await import('./conversion.ts')).conversion,
  },
  automation: {
    says: 'webhooks: create, enable, test, inspect',
    load: async () => (await import('./automation.ts')).automation,
  },
  content: {
    says: 'content blocks: versions, weights, history, results',
    load: async () => (await import('./content.ts')).content,
  },
  invalid: {
    says: 'exclude invalid sessions, or undo it',
    load: async () => (await import('./invalid.ts')).invalid,
  },
  export: {
    says: 'export data as CSV, Parquet or JSON',
    load: async () => (await import('./export.ts')).exportFiles,
  },
  backup: { says: 'take, list or check backups', load: async () => (await import('./backup.ts')).backup },
  restore: { says: 'restore a backup', load: async () => (await import('./restore.ts')).restore },
  demo: { says: 'write a year of sample traffic', load: async () => (await import('./demo.ts')).demo },
  geo: { says: 'update the location and network files', load: async () => (await import('./geo.ts')).geo },
  mail: { says: 'send a test email', load: async () => (await import('./mail.ts')).mail },
  rates: { says: 'update exchange rates', load: async () => (await import('./rates.ts')).rates },
  secret: { says: 'change the installation secret', load: async () => (await import('./secret.ts')).secret },
  routes: { says: 'list endpoints and their access', load: async () => (await import('./routes.ts')).routes },
  health: {
    says: 'check that the service is alive',
    load: async () => (await import('./health.ts')).health,
  },
  doctor: { says: 'check the installation for problems', load: async () => (await import('./doctor.ts')).doctor },
}

const usage = [
  'footfall <command> [options]',
  '',
  ...Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(13)}${says}`),
  '',
  'Run footfall <command> --help for details. All commands accept --json. Settings come from the environment: docs/settings.md.',
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
