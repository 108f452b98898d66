import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Cidr = [Address, number];

/**
 * True for an address of the public internet. An allow-list: IPv4 must be in no special-purpose block, IPv6 must lie in
 * the one range that is handed out for global use, and what cannot be parsed is not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isPublic(address);
}

/** True when the address lies in one of the ranges; an IPv4 address written as IPv6 is looked up as IPv4. */
export function isWithin(text: string, cidrs: readonly Cidr[]): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  return cidrs.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Throws for what is not `address/bits`: a range mistyped in the configuration must stop the start-up. */
export function parseCidr(text: string): Cidr {
  if (!ipaddr.isValidCIDR(text)) throw new TypeError(`not an address range: ${text}`);
  return ipaddr.parseCIDR(text);
}

/** Scoped addresses (`fe80::1%eth0`) and the short, octal and hexadecimal IPv4 forms do not count as addresses. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  return embeddedIpv4(ipaddr.IPv6.parse(text));
}

/**
 * IPv4-mapped addresses (::ffff:0:0/96) and the well-known NAT64 prefix (64:ff9b::/96, what an IPv6-only network gives
 * for every IPv4 host) reach the IPv4 address they hold, so that one is judged. Other embeddings are refused as they are.
 */
function embeddedIpv4(address: ipaddr.IPv6): Address {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return !address.match(AZURE_PLATFORM);
  return address.match(GLOBAL_UNICAST) && !isIsatap(address);
}

/** ISATAP hides an IPv4 address behind the interface id 0:5efe or 200:5efe of any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts;
  return low === 0x5efe && (high & 0xfdff) === 0;
}

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** A virtual machine's way to its host (DNS, agent) in one large cloud: public by number, not by nature. */
const AZURE_PLATFORM = ipaddr.IPv4.parseCIDR('168.63.129.16/32');
