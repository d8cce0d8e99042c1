// A port is not part of a host: it is removed wherever domains are typed, in the dashboard as in the service.

const MAX_PORT = 65_535
const hostAndPort = /^(\[[^\]]*\]|[^:]+):(\d{1,5})$/

/**
 * `shop.example:8443` → `shop.example`, `[::1]:8080` → `[::1]`. A text without a port stays as it is, `::1`
 * too.
 */
export function withoutPort(text: string): string {
  const [, host, port] = hostAndPort.exec(text.trim()) ?? []
  return host !== undefined && Number(port) <= MAX_PORT ? host : text
}
