import { createHash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../../assets/content';
import { createFileCache } from '../file-cache';
import { type SpeechFormat, type SpeechOrder, speechArguments } from '../speech/speech';
import { createFfmpeg } from '../video/ffmpeg';
import { type ClipShelf, createClipShelf } from './clip-shelf';
import { parts, type Recording } from './recording';
import { renderRecording, SAMPLE_RATE } from './render';

export type AudioFormat = 'mp3' | 'm4a' | 'wav';

/** Makes files when they are first wanted, and keeps them on disk for a while. Throws when ffmpeg cannot be run. */
export interface AudioStudio {
  clips: ClipShelf;
  audio(recording: Recording, format: AudioFormat): Promise<Content>;
  speech(order: SpeechOrder, format: SpeechFormat): Promise<Content>;
  /** Kills what runs and removes every file. */
  close(): Promise<void>;
}

const MAX_FILES = 1_000;
const MAX_BYTES = 768 * 1024 * 1024;

const formats: Record<AudioFormat, { contentType: string; encode: string[] }> = {
  // The fastest of ten levels: a third less work, for sound that nobody listens to.
  mp3: {
    contentType: 'audio/mpeg',
    encode: ['-ac', '2', '-c:a', 'libmp3lame', '-b:a', '128k', '-compression_level', '9'],
  },
  m4a: { contentType: 'audio/mp4', encode: ['-ac', '2', '-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart'] },
  wav: { contentType: 'audio/wav', encode: ['-c:a', 'pcm_s16le'] },
};

export function createAudioStudio({
  ffmpegPath,
  parentFolder,
}: {
  ffmpegPath: string;
  parentFolder?: string;
}): AudioStudio {
  const closing = new AbortController();
  const ffmpeg = createFfmpeg(ffmpegPath, closing.signal);
  const files = createFileCache({ maxFiles: MAX_FILES, maxBytes: MAX_BYTES, ...(parentFolder && { parentFolder }) });
  const clips = createClipShelf({ ffmpeg, files });
  const render = renderer(clips);

  return {
    clips,
    audio(recording, format) {
      const { contentType, encode } = formats[format];
      return files.file(`${keyOf(recording)}.${format}`, contentType, async (folder) => {
        const [source, target] = [join(folder, 'mix.f32'), join(folder, `song.${format}`)];
        await writeFile(source, await render(recording));
        await ffmpeg(['-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i', source, ...encode, target]);
        return target;
      });
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

/** Renders one track at a time: ten minutes of samples are a hundred megabytes. */
function renderer(clips: ClipShelf): (recording: Recording) => Promise<Float32Array> {
  let last: Promise<unknown> = Promise.resolve();
  return (recording) => {
    const rendered = last.then(() => renderRecording(recording, { parts, tempo: 1, readClip: clips.read }));
    last = rendered.catch(() => undefined);
    return rendered;
  };
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
