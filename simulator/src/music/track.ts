import { randomUUID } from 'node:crypto';
import { MAX_RECORDING_SECONDS, type Recording } from '../media/audio/recording';
import type { Refusal } from '../vendor-call/contract';

/** One piece of audio that a vendor made, as it keeps it. */
export interface Track {
  id: string;
  title: string;
  /** Empty for an instrumental. */
  lyrics: string;
  tags: string;
  recording: Recording;
}

/** A track before the vendor has given it an id. */
export type NewTrack = Omit<Track, 'id'>;

/** Gives a track its id; throws the vendor's refusal when it would be too long. */
export function numbered(track: NewTrack, refuse: (sentence: string) => Refusal): Track {
  if (track.recording.seconds > MAX_RECORDING_SECONDS) throw refuse('the result would be too long');
  return { ...track, id: randomUUID() };
}
