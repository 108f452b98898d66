import type { Recording } from '../media/audio/recording';

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
