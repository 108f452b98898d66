import { type Recording, TEMPO } from '../media/audio/recording';
import type { Call } from '../vendor-call/contract';
import type { NewTrack } from './track';

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

export interface Lyrics {
  title: string;
  text: string;
  tags: string[];
}

const MAX_SUBJECTS = 8;

/** Lyrics about the longer words of a prompt. */
export function writeLyrics(prompt: string, variation: number): Lyrics {
  const words = [...new Set(prompt.toLowerCase().match(/\p{L}{4,20}/gu))].slice(0, MAX_SUBJECTS);
  const subject = words.length > 0 ? words.join(' and ') : 'silence';
  const text = `[Verse ${variation}]\nI walk beside ${subject}\n\n[Chorus]\nWe carry ${subject}`;
  return { title: `Song of ${subject}`, text, tags: ['pop ballad'] };
}

interface SoundWish {
  description: string;
  isLoop: boolean;
  variation: number;
}

const ONE_SHOT_SECONDS = 1.5;
const LOOP_SECONDS = 8;

/** A short sound, or a longer one that can be played over and over. */
export function makeSound({ description, isLoop, variation }: SoundWish): Recording {
  return { seconds: isLoop ? LOOP_SECONDS : ONE_SHOT_SECONDS, bpm: TEMPO, words: `${description}\n${variation}` };
}

/** Short, so that a thousand test tracks are made in no time. */
const DEFAULT_TRACK_SECONDS = 12;
const MAX_TRACK_SECONDS = 480;

/** How long a new track is to be: what a fault list says (`seconds=30`), what the request says, or the usual. */
export function trackSeconds({ faults }: Call, requested: number | undefined): number {
  const asked = faults.take('seconds');
  const seconds = asked ? Number(asked.value) : (requested ?? DEFAULT_TRACK_SECONDS);
  return Math.min(MAX_TRACK_SECONDS, Math.max(1, seconds));
}
