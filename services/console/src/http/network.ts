import { isIPv6 } from 'node:net';

/** Whoever has one IPv6 address has the 2^64 beside it. */
export function networkOf(address: string): string {
  return isOfIPv6(address) ? partsOf(address).slice(0, 4).join(':') : address;
}

/** The network of an address and those around it that one holder may have: /32 and /48 of IPv6, /24 of IPv4; the widest first. */
export function networksOf(address: string): string[] {
  if (!isOfIPv6(address)) return [address.split('.').slice(0, 3).join('.'), address];
  return [2, 3, 4].map((parts) => partsOf(address).slice(0, parts).join(':'));
}

function isOfIPv6(address: string): boolean {
  return isIPv6(address) && !address.startsWith('::ffff:');
}

function partsOf(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter((part) => part !== '');
  const after = tail.split(':').filter((part) => part !== '');
  const gap = address.includes('::') ? Array<string>(8 - before.length - after.length).fill('0') : [];
  return [...before, ...gap, ...after];
}
