import { createHash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../../assets/content';
import { createDice } from '../dice';
import { createFileCache } from '../file-cache';
import { type SpeechFormat, type SpeechOrder, speechArguments } from '../speech/speech';
import { createFfmpeg, whenUnreadable } from '../video/ffmpeg';
import { type Recording, TEMPO } from './recording';

/** Makes files when they are first wanted, and keeps them on disk for a while. Throws when ffmpeg cannot be run. */
export interface AudioStudio {
  /** As MP3. */
  audio(recording: Recording): Promise<Content>;
  /** A caller's own sound, of which the length alone is kept. Undefined when the bytes are no sound that decodes. */
  clip(bytes: Buffer): Promise<Recording | undefined>;
  speech(order: SpeechOrder, format: SpeechFormat): Promise<Content>;
  /** Kills what runs and removes every file. */
  close(): Promise<void>;
}

const MAX_FILES = 1_000;
const MAX_BYTES = 768 * 1024 * 1024;
const SAMPLE_RATE = 44_100;

/** The fastest of ten levels: a third less work, for sound that nobody listens to. */
const MP3 = ['-ac', '2', '-c:a', 'libmp3lame', '-b:a', '128k', '-compression_level', '9'];

export function createAudioStudio({ ffmpegPath }: { ffmpegPath: string }): AudioStudio {
  const closing = new AbortController();
  const ffmpeg = createFfmpeg(ffmpegPath, closing.signal);
  const files = createFileCache({ maxFiles: MAX_FILES, maxBytes: MAX_BYTES });
  return {
    audio: (recording) =>
      files.file(`${keyOf(recording)}.mp3`, 'audio/mpeg', async (folder) => {
        const target = join(folder, 'track.mp3');
        await ffmpeg([...beatsOf(recording), ...MP3, target]);
        return target;
      }),
    async clip(bytes) {
      const words = createHash('sha256').update(bytes).digest('hex');
      const samples = files.file(`${words}.pcm`, 'application/octet-stream', async (folder) => {
        const [source, target] = [join(folder, 'source'), join(folder, 'clip')];
        await writeFile(source, bytes);
        await ffmpeg(['-t', String(MAX_CLIP_SECONDS), '-i', source, '-vn', ...CLIP, target]);
        return target;
      });
      const { lengthBytes = 0 } = (await samples.catch(whenUnreadable)) ?? {};
      return lengthBytes === 0 ? undefined : { words, seconds: lengthBytes / CLIP_BYTES_A_SECOND, bpm: undefined };
    },
    speech(order, format) {
      return files.file(`${keyOf(order)}.${format}`, 'application/octet-stream', async (folder) => {
        const target = join(folder, 'speech');
        await ffmpeg([...speechArguments(order, format), target]);
        if (format === 'wav') await forgetLength(target);
        return target;
      });
    },
    async close() {
      closing.abort();
      await files.close();
    },
  };
}

/** Length of a clip; the rest is cut off. */
const MAX_CLIP_SECONDS = 480;
/** Enough to count them. */
const CLIP = ['-f', 's16le', '-ar', '8000', '-ac', '1'];
const CLIP_BYTES_A_SECOND = 2 * 8_000;

/** Returns ffmpeg's arguments for a tone that is struck at each beat. */
function beatsOf({ seconds, words }: Recording): string[] {
  const samples = Math.round((60 / TEMPO) * SAMPLE_RATE);
  const tone = `0.3*sin(2*PI*${createDice(words).between(120, 900).toFixed(3)}*t)*exp(-8*t)`;
  const beat = `aevalsrc='${tone}':s=${SAMPLE_RATE}:d=${samples / SAMPLE_RATE}`;
  return ['-f', 'lavfi', '-i', `${beat},aloop=loop=-1:size=${samples}`, '-t', seconds.toFixed(3)];
}

/** A vendor's stream begins before its length is known: the two sizes in the head of a WAV file are as large as can be. */
async function forgetLength(path: string): Promise<void> {
  const file = await open(path, 'r+');
  const unknown = Buffer.alloc(4, 0xff);
  await file.write(unknown, 0, 4, 4);
  await file.write(unknown, 0, 4, 40);
  await file.close();
}

function keyOf(order: Recording | SpeechOrder): string {
  return createHash('sha256').update(JSON.stringify(order)).digest('hex');
}
