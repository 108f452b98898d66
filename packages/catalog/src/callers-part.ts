import type { CallersPart, MediaReference } from '@mediagate/contracts';

/** A document is read, and no part of what is made. */
export function partIn(media: readonly MediaReference[]): CallersPart {
  return media.some(({ role }) => role !== 'document') ? 'some' : 'none';
}
