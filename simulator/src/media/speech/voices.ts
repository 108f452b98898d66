/** How espeak-ng is to sound: its voice with a variant, pitch from 0 to 99, and words a minute relative to others. */
interface Voice {
  accent: 'en-us' | 'en-gb';
  variant: string;
  pitch: number;
}

const voices = {
  alloy: { accent: 'en-us', variant: 'f2', pitch: 45 },
  ash: { accent: 'en-us', variant: 'm3', pitch: 45 },
  ballad: { accent: 'en-gb', variant: 'm1', pitch: 55 },
  cedar: { accent: 'en-us', variant: 'm7', pitch: 30 },
  coral: { accent: 'en-us', variant: 'f3', pitch: 60 },
  echo: { accent: 'en-us', variant: 'm2', pitch: 40 },
  fable: { accent: 'en-gb', variant: 'm4', pitch: 65 },
  marin: { accent: 'en-us', variant: 'f4', pitch: 55 },
  nova: { accent: 'en-us', variant: 'f1', pitch: 65 },
  onyx: { accent: 'en-us', variant: 'm5', pitch: 10 },
  sage: { accent: 'en-us', variant: 'f5', pitch: 50 },
  shimmer: { accent: 'en-us', variant: 'f2', pitch: 90 },
  verse: { accent: 'en-us', variant: 'm6', pitch: 50 },
} as const satisfies Record<string, Voice>;

export type VoiceName = keyof typeof voices;

export const voiceNames = Object.keys(voices) as VoiceName[];

export interface SpeechOrder {
  text: string;
  voice: VoiceName;
  /** 0.25 to 4; 1 is the voice's own. */
  speed: number;
  /** How to speak; empty for plainly. */
  instructions: string;
}

/** The program's arguments, and by how much its sound is to be quickened afterwards. */
export interface Delivery {
  args: string[];
  tempo: number;
}

const WORDS_A_MINUTE = 175;
/** The range of espeak-ng, in words a minute; beyond it espeak-ng silently keeps to the bound. */
const [SLOWEST, FASTEST] = [80, 450];

export function deliveryOf({ text, voice, speed, instructions }: SpeechOrder): Delivery {
  const { accent, variant, pitch } = voices[voice];
  const manner = mannerOf(instructions);
  const wanted = WORDS_A_MINUTE * speed * manner.haste;
  const rate = Math.round(Math.min(FASTEST, Math.max(SLOWEST, wanted)));
  const tempo = Math.min(2, Math.max(0.5, wanted / rate));
  const height = Math.min(99, Math.max(0, pitch + manner.lift));
  const speaker = `${languageOf(text) ?? accent}+${manner.whispered ? 'whisper' : variant}`;
  return { args: ['-v', speaker, '-s', String(rate), '-p', String(height)], tempo };
}

/** A few words of instructions that an ear can check. */
function mannerOf(instructions: string): { haste: number; lift: number; whispered: boolean } {
  const says = (pattern: RegExp) => (pattern.test(instructions) ? 1 : 0);
  const [slow, fast] = [says(/slow|calm|gentle/i), says(/fast|quick|excited|hurr/i)];
  const [high, low] = [says(/cheer|bright|happy|high/i), says(/deep|low|sad|solemn/i)];
  return { haste: 1 - 0.2 * slow + 0.25 * fast, lift: 20 * (high - low), whispered: /whisper/i.test(instructions) };
}

const scripts: [RegExp, string][] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'cmn'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Greek}/u, 'el'],
];

/** Any of the voices reads any script; undefined stands for Latin, read as English. */
function languageOf(text: string): string | undefined {
  return scripts.find(([script]) => script.test(text))?.[1];
}
