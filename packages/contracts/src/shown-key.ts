import type { Fault } from './faults';

/** The headers that show a channel's key to its vendor, by lower-case names. A fault: they had to be fetched and were not had. */
export type ShownKey = { ok: true; headers: Readonly<Record<string, string>> } | { ok: false; fault: Fault };
