import { relative } from 'node:path';

/** As a person types it here: relative to this folder when it lies in it. */
export function shortPath(path: string): string {
  const inHere = relative('', path);
  return inHere.startsWith('..') ? path : inHere;
}
