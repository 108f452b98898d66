export const SPEECH_FORMATS = ['mp3', 'wav', 'opus', 'aac', 'flac', 'pcm'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

/** A text to be read aloud, vendor-neutral; `pcm` is 24 kHz, 16 bits, little-endian, mono. */
export interface SpeechRequest {
  input: string;
  /** Lower case. */
  voice: string;
  format: SpeechFormat;
  /** 0.25 to 4; 1 is the voice's own. */
  speed: number;
  /** How to speak. */
  instructions?: string;
}
