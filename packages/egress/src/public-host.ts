import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './address';
import { literalAddresses } from './url-policy';

/** False where the host is an address that is not public, or this machine by name. Any other name may lead anywhere. */
export function mayBePublic({ hostname }: URL): boolean {
  const bare = hostname.replace(/^\[|[\].]$/g, '');
  return literalAddresses(bare)?.every(isPublicAddress) !== false;
}

/** For connections to hosts of the public internet alone: a name that has any other address has none. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(
        Object.assign(new Error('the address of the host is not public'), { code: 'EADDRNOTPUBLIC' }),
        [],
      );
    }
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
