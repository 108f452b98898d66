import { type Recording, TEMPO } from '../media/audio/recording';
import type { NewTrack } from './track';
import { writeLyrics } from './write-lyrics';

/** A track as asked for with words of its own, or by a description. */
export interface AskedMusic {
  title: string;
  tags: string;
  lyrics: string;
  /** One of the two tracks that the vendors make of every request. */
  music(variation: number): Recording;
}

interface Wish {
  about: string;
  title: string;
  tags: string;
  /** Undefined: the vendor writes them. */
  lyrics: string | undefined;
  /** Whether tags are the caller's alone. */
  custom: boolean;
  /** Undefined for an instrumental. */
  voice: string | undefined;
  seconds: number;
}

export function askedMusic({ about, title, tags, lyrics, custom, voice, seconds }: Wish): AskedMusic {
  const motif = about || title || tags || 'untitled';
  const written = writeLyrics(motif, 1);
  return {
    title: title || written.title,
    tags: tags || (custom ? '' : written.tags.join(', ')),
    lyrics: voice === undefined ? '' : (lyrics ?? written.text),
    music: (variation) => ({ seconds, bpm: TEMPO, words: [motif, tags, about, voice, variation].join('\n') }),
  };
}

/** Every request for a track brings two. */
export function twoOf(
  { title, tags, lyrics }: Omit<AskedMusic, 'music'>,
  record: (take: number) => Recording,
): { tracks: NewTrack[] } {
  return { tracks: [1, 2].map((take) => ({ title, tags, lyrics, recording: record(take) })) };
}
