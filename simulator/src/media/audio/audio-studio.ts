import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../../assets/content';
import { createFileCache } from '../file-cache';
import { createFfmpeg } from '../video/ffmpeg';
import { type ClipShelf, createClipShelf } from './clip-shelf';
import { parts, type Recording } from './recording';
import { renderRecording } from './render';
import { wavOf } from './wav';

export type AudioFormat = 'mp3' | 'm4a' | 'wav';

export interface AudioStudio {
  clips: ClipShelf;
  /** The recording as a file, made now unless it is there already. Throws when ffmpeg cannot be run. */
  audio(recording: Recording, format: AudioFormat): Promise<Content>;
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
  wav: { contentType: 'audio/wav', encode: [] },
};

/** Tracks and what is made of them, rendered when they are first fetched, one at a time, and kept on disk for a while. */
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
  // Ten minutes of samples are a hundred megabytes.
  let last: Promise<unknown> = Promise.resolve();

  const render = (recording: Recording): Promise<Buffer> => {
    const rendered = last.then(async () =>
      wavOf(await renderRecording(recording, { parts, tempo: 1, readClip: clips.read })),
    );
    last = rendered.catch(() => undefined);
    return rendered;
  };

  return {
    clips,
    audio(recording, format) {
      const key = createHash('sha256').update(JSON.stringify(recording)).digest('hex');
      const { contentType, encode } = formats[format];
      return files.file(`${key}.${format}`, contentType, async (folder) => {
        const [source, target] = [join(folder, 'mix.wav'), join(folder, `song.${format}`)];
        await writeFile(source, await render(recording));
        if (format === 'wav') return source;
        await ffmpeg(['-i', source, ...encode, target]);
        return target;
      });
    },
    async close() {
      closing.abort();
      await files.close();
    },
  };
}
