import type { LookupFunction } from 'node:net';

/** How the host of an origin is looked up for a connection; undefined: by the system. */
export type LookupFor = (origin: string) => LookupFunction | undefined;
