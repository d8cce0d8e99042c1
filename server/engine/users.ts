// Who may ask the embedded engine. It listens on loopback, where every program of the machine can reach it:
// config.ts lets in the service alone.

interface User {
  readonly name: string
  /** Hex. */
  readonly passwordSha256: string
}

const LOOPBACK = '<networks><ip>127.0.0.1</ip></networks>'
const ROLE = '<profile>default</profile><quota>default</quota>'

/** The engine's own user needs no password; nobody gets in as this one. */
const listener = `<default><password></password>${LOOPBACK}${ROLE}<grants>
<query>GRANT SYSTEM LISTEN ON *.*</query>
<query>GRANT SELECT ON system.numbers</query>
</grants></default>`

/**
 * For each of its threads a statement wants so much to be free of the engine's memory, and otherwise runs
 * with fewer. By default it is a gigabyte, as much as the whole engine has, so that each ran with one alone.
 */
const THREAD_BYTES = 128 * 1024 * 1024

const PROFILE = `<default><max_threads_min_free_memory_per_thread>${THREAD_BYTES}</max_threads_min_free_memory_per_thread></default>`

/** @returns the file of the engine's users: the service, and the one that listens. */
export function usersConfig({ name, passwordSha256 }: User): string {
  const service = `<${name}><password_sha256_hex>${passwordSha256}</password_sha256_hex>${LOOPBACK}${ROLE}</${name}>`
  return `<clickhouse>
<profiles>${PROFILE}</profiles>
<quotas><default/></quotas>
<users>
${listener}
${service}
</users>
</clickhouse>
`
}
