import type { MusicSource } from '@mediagate/contracts';
import type { RejectedInput } from '../entry';
import { reject, together } from '../rules';
import type { TrackInput } from './source-track';

interface Range {
  start_s?: number;
  end_s?: number;
}

/** Rule: a part of a track has a length. */
export function rangeRises({ start_s: start = 0, end_s: end }: Range): RejectedInput | undefined {
  return end === undefined || end > start ? undefined : reject('end_s', 'must_be_greater_than', { other: 'start_s' });
}

/** The part must be one of the track's. */
export function rangeWithin(
  { start_s: start = 0, end_s: end }: Range & TrackInput,
  track: MusicSource,
): RejectedInput | undefined {
  return together([
    ...(start >= track.seconds ? [beyond('start_s', track)] : []),
    ...(end !== undefined && end > track.seconds ? [beyond('end_s', track)] : []),
  ]);
}

/** A shorter sound is inaudible, and vendors round lengths. */
const LEAST_LEFT_SECONDS = 0.1;

/** A track that is taken away as a whole leaves none. */
export function leavesSome(
  { start_s: start = 0, end_s: end = 0 }: Range & TrackInput,
  { seconds }: MusicSource,
): RejectedInput | undefined {
  return seconds - (end - start) >= LEAST_LEFT_SECONDS
    ? undefined
    : reject('end_s', 'leaves_nothing_of_track', { other: 'start_s', seconds });
}

/** `field` names a moment beyond the track's end. */
export function beyond(field: string, { seconds }: MusicSource): RejectedInput {
  return reject(field, 'must_be_within_track', { seconds });
}
