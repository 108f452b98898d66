import type { Content } from '../../assets/content';
import { createDice } from '../dice';

export const voiceNames = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
] as const;
export type VoiceName = (typeof voiceNames)[number];

export type PlainFormat = 'mp3' | 'wav' | 'opus' | 'aac' | 'flac' | 'pcm';
/** A plain one is of 24 kHz; a shaped one says its rate in hertz and, where it is compressed, its kilobits a second: `mp3_44100_128`. */
export type SpeechFormat = PlainFormat | `${'mp3' | 'opus'}_${number}_${number}` | `pcm_${number}`;

export interface SpeechOrder {
  text: string;
  voice: VoiceName;
  /** 0.25 to 4; 1 is the voice's own. */
  speed: number;
  /** How to speak; empty for plainly. */
  instructions: string;
}

const SAMPLE_RATE = 24_000;
/** People read some fifteen characters a second aloud. */
const CHARACTERS_A_SECOND = 15;
const MAX_SECONDS = 1_200;
const MIN_SECONDS = 0.1;

const encodings: Record<PlainFormat, string[]> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3'],
  wav: ['-c:a', 'pcm_s16le', '-f', 'wav'],
  opus: ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'],
  aac: ['-c:a', 'aac', '-b:a', '64k', '-f', 'adts'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
  pcm: ['-c:a', 'pcm_s16le', '-f', 's16le'],
};

/**
 * Returns ffmpeg's arguments for a tone as long as the text would take to read; voice, text and instructions decide on its
 * pitch. Bit-exact, so that the same order gives the same bytes.
 */
export function speechArguments({ text, voice, speed, instructions }: SpeechOrder, format: SpeechFormat): string[] {
  const seconds = Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, text.length / CHARACTERS_A_SECOND / speed));
  const hertz = createDice(text, voice, instructions).between(120, 400);
  const wave = `0.3*sin(2*PI*${hertz.toFixed(3)}*t)*(0.7+0.3*sin(8*PI*t))`;
  const source = ['-f', 'lavfi', '-i', `aevalsrc='${wave}':s=${SAMPLE_RATE}:d=${seconds.toFixed(3)}`];
  const exact = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  const [codec, rate, kilobits] = format.split('_');
  const shape = [...(rate ? ['-ar', rate] : []), ...(kilobits ? ['-b:a', `${kilobits}k`] : [])];
  // The last of two arguments of one name counts.
  return [...source, ...exact, ...encodings[codec as PlainFormat], ...shape];
}

/** Sends a file as a vendor sends speech: in pieces, the first of which comes once the file is made. */
export async function* piecesOf(file: Promise<Content>): AsyncGenerator<Buffer> {
  const { lengthBytes, stream } = await file;
  yield* stream({ start: 0, end: lengthBytes - 1 }) as AsyncIterable<Buffer>;
}
