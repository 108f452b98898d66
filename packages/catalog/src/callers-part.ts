import type { MediaReference } from '@mediagate/contracts';

/** The part of a result that its caller brought. */
export type CallersPart = 'all' | 'some' | 'none';

/** A document is read, and no part of what is made. */
export function partIn(media: readonly MediaReference[]): CallersPart {
  return media.some(({ role }) => role !== 'document') ? 'some' : 'none';
}
