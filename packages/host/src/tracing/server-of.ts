/** The host that a URL names, in the words of spans. The rest of it may hold keys, signatures and what callers wrote. */
export function serverOf(url: string): { 'server.address': string; 'server.port': number } {
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) };
}
