/**
 * The host to give to `server.listen`. For `::` it is none: Node then takes every address, and those of IPv4 alone where the machine has
 * no IPv6, on which `::` itself fails.
 */
export function listenHost(host: string): string | undefined {
  return host === '::' ? undefined : host;
}
