import { type Key, parseKey } from '../media/audio/key';
import type { Music } from '../media/audio/recording';
import { createDice } from '../media/dice';

export interface MusicWish {
  /** The subject of the music: the melody is drawn from it. */
  motif: string;
  /** Where tempo, key and mood are looked for: style tags, a description. */
  style: string;
  voice: Music['voice'];
  seconds: number;
  variation: number;
}

/** A track that heeds `90 bpm` and `in A minor` in its style, and otherwise chooses for itself. */
export function writeMusic({ motif, style, voice, seconds, variation }: MusicWish): Music {
  const dice = createDice(motif, style, 'song');
  const mode = /\b(?:minor|sad|dark|melanchol\w*|gloomy|blues?)\b/i.test(style) ? 'minor' : 'major';
  const chosen: Key = { tonic: Math.floor(dice.between(0, 12)), mode };
  return {
    kind: 'music',
    motif,
    variation,
    bpm: bpmIn(style) ?? Math.round(dice.between(84, 136)),
    key: keyIn(style) ?? chosen,
    voice,
    from: 0,
    seconds,
  };
}

function bpmIn(text: string): number | undefined {
  const bpm = Number(/\b(\d{2,3})\s?bpm\b/i.exec(text)?.[1]);
  return bpm >= 30 && bpm <= 300 ? bpm : undefined;
}

/** `A minor`, `F# major`, `in Am`. */
function keyIn(text: string): Key | undefined {
  const [, name = '', mode] = /\b([A-G][#b]?)[ -](major|minor)\b/.exec(text) ?? [];
  if (mode !== undefined) return parseKey(mode === 'minor' ? `${name}m` : name);
  return parseKey(/\b(?:in|key of) ([A-G][#b]?m?)(?![\w#])/.exec(text)?.[1] ?? '');
}

/** `Female`, `f`; a track without a word about it is sung by whoever the motif likes. */
export function voiceOf({
  instrumental,
  gender,
  motif,
}: {
  instrumental: boolean;
  gender: string | undefined;
  motif: string;
}): Music['voice'] {
  if (instrumental) return 'none';
  if (gender !== undefined) return /^f/i.test(gender) ? 'female' : 'male';
  return createDice(motif, 'voice').between(0, 1) < 0.5 ? 'female' : 'male';
}
