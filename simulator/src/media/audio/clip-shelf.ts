import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileCache } from '../file-cache';
import { type Ffmpeg, whenUnreadable } from '../video/ffmpeg';
import type { ClipRecording } from './recording';
import { SAMPLE_RATE } from './render';

/** Keeps sounds that callers hand in until something is made of them. */
export interface ClipShelf {
  /** Undefined when the bytes are no sound that decodes. */
  put(bytes: Buffer): Promise<ClipRecording | undefined>;
  /** The samples, that much faster at the same pitch; none when the clip was dropped for others. */
  read(key: string, tempo: number): Promise<Float32Array>;
}

/** Length of a clip; the rest is cut off. */
const MAX_CLIP_SECONDS = 480;
const MAX_SHELF_BYTES = 128 * 1024 * 1024;
const BYTES_PER_SAMPLE = 4;

/** Clips as they came lie in memory, their samples among the files. */
export function createClipShelf({ ffmpeg, files }: { ffmpeg: Ffmpeg; files: FileCache }): ClipShelf {
  const shelf = new Map<string, { clip: ClipRecording; bytes: Buffer }>();

  const decode = (key: string, bytes: Buffer, tempo: number) =>
    files.file(`${key}-${tempo.toFixed(4)}.f32`, 'application/octet-stream', async (folder) => {
      const [source, target] = [join(folder, 'source'), join(folder, 'clip.f32')];
      await writeFile(source, bytes);
      const raw = ['-vn', '-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '1'];
      const filters = tempo === 1 ? [] : ['-af', tempoFilter(tempo)];
      await ffmpeg(['-t', String(MAX_CLIP_SECONDS), '-i', source, ...filters, ...raw, target]);
      return target;
    });

  const keep = (clip: ClipRecording, bytes: Buffer) => {
    shelf.set(clip.key, { clip, bytes });
    let totalBytes = [...shelf.values()].reduce((sum, kept) => sum + kept.bytes.length, 0);
    for (const [key, { bytes: oldest }] of shelf) {
      if (totalBytes <= MAX_SHELF_BYTES || key === clip.key) break;
      shelf.delete(key);
      totalBytes -= oldest.length;
    }
  };

  return {
    async put(bytes) {
      const key = createHash('sha256').update(bytes).digest('hex');
      const known = shelf.get(key);
      if (known) return known.clip;
      const content = await decode(key, bytes, 1).catch(whenUnreadable);
      if (!content || content.lengthBytes === 0) return undefined;
      const clip: ClipRecording = { kind: 'clip', key, seconds: content.lengthBytes / BYTES_PER_SAMPLE / SAMPLE_RATE };
      keep(clip, bytes);
      return clip;
    },
    async read(key, tempo) {
      const kept = shelf.get(key);
      if (!kept) return new Float32Array(0);
      const bytes = await (await decode(key, kept.bytes, tempo)).bytes();
      const samples = new Float32Array(Math.floor(bytes.length / BYTES_PER_SAMPLE));
      for (let index = 0; index < samples.length; index += 1) {
        samples[index] = bytes.readFloatLE(index * BYTES_PER_SAMPLE);
      }
      return samples;
    },
  };
}

/** One filter reaches from half to twice the tempo, so a longer way takes several. */
function tempoFilter(tempo: number): string {
  if (tempo > 2) return `atempo=2,${tempoFilter(tempo / 2)}`;
  if (tempo < 0.5) return `atempo=0.5,${tempoFilter(tempo * 2)}`;
  return `atempo=${tempo}`;
}
