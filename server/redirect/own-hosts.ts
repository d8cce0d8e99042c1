// The hosts of properties' own that answer, in memory: every request asks whether its host is one.
import type { OwnHost } from '../links/domain-model.ts'
import type { HostChange } from '../links/domain-records.ts'

export class OwnHostMemory {
  readonly #hosts = new Map<string, OwnHost>()

  find(host: string): OwnHost | undefined {
    return this.#hosts.get(host)
  }

  /** First those that go: of a host that was taken over both are told of at once. */
  put(changes: readonly HostChange[]): void {
    for (const { host, propertyId, isVerified } of changes)
      if (!isVerified && this.#hosts.get(host)?.propertyId === propertyId) this.#hosts.delete(host)
    for (const { isVerified, ...own } of changes) if (isVerified) this.#hosts.set(own.host, own)
  }

  clear(): void {
    this.#hosts.clear()
  }
}
