import type { VoiceName } from '../media/speech/speech';

/** A speech model, with its limit and its price. */
interface SpeechModel {
  name: string;
  maxCharacters: number;
  /** Credits for a character. */
  creditsPerCharacter: number;
}

const models: Readonly<Record<string, SpeechModel>> = {
  eleven_v3: { name: 'Eleven v3', maxCharacters: 5_000, creditsPerCharacter: 1 },
  eleven_multilingual_v2: { name: 'Eleven Multilingual v2', maxCharacters: 10_000, creditsPerCharacter: 1 },
  eleven_flash_v2_5: { name: 'Eleven Flash v2.5', maxCharacters: 40_000, creditsPerCharacter: 0.5 },
};

export const SPEECH_MODELS = Object.entries(models);

export function speechModel(id: string): SpeechModel | undefined {
  return Object.hasOwn(models, id) ? models[id] : undefined;
}

/** The vendor's voices that every account has, by their ids, and who reads in their place. */
const readers: Readonly<Record<string, VoiceName>> = {
  Xb7hH8MSUJpSbSDYk0k2: 'fable', // Alice
  pqHfZKP75CvOlQylNhV4: 'onyx', // Bill
  nPczCjzI2devNBz1zQrb: 'cedar', // Brian
  N2lVS1w4EtoT3dr4eOWO: 'verse', // Callum
  IKne3meq5aSn9XLyUdCD: 'ash', // Charlie
  iP95p4xoKVk53GoZ742B: 'echo', // Chris
  onwK4e9ZLuTAKqWW03F9: 'ballad', // Daniel
  cjVigY5qzO86Huf0OWal: 'ash', // Eric
  JBFqnCBsd6RMkjVDRZzb: 'ballad', // George
  cgSgspJ2msm6clMCkdW9: 'shimmer', // Jessica
  FGY2WhTYpPnrIDTdsKH5: 'nova', // Laura
  TX3LPaxmHKxFdv7VOQHJ: 'echo', // Liam
  pFZP5JQG7iQjIQuC4Bku: 'marin', // Lily
  XrExE9yKIg1WjnnlVkGX: 'sage', // Matilda
  SAz9YHcvj6GT2YYXdXww: 'alloy', // River
  EXAVITQu4vr4xnSDxMaL: 'coral', // Sarah
  bIHbv24MWmeRgasZH58o: 'verse', // Will
};

export function readerOf(voiceId: string): VoiceName | undefined {
  return Object.hasOwn(readers, voiceId) ? readers[voiceId] : undefined;
}
