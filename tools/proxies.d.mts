// For test/proxies.test.ts.
export function findProxies(): (readonly ['nginx' | 'Caddy' | 'HAProxy' | 'Apache', string | undefined])[]
