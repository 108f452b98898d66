import { LRUCache } from 'lru-cache';

/** The address of a request: the origin whose connections it takes, and the path that it asks for. */
export interface Address {
  origin: string;
  /** With the query. */
  path: string;
}

/** Texts and speech of a model go to one address; those of jobs name their job, and push others out. */
const addresses = new LRUCache<string, Address>({
  maxSize: 500_000,
  sizeCalculation: (_, url) => url.length,
  memoMethod: readAddress,
});

/** @throws TypeError for what is no URL. */
export function addressOf(url: string): Address {
  return addresses.memo(url);
}

function readAddress(url: string): Address {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}
