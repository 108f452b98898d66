import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NOBODY, type Owner } from '@mediagate/contracts';
import type { CallContext } from '../contract';

/**
 * Runs ffmpeg with these arguments, overwriting its output, and resolves when it is done. Rejects with what it complains of,
 * as an error whose `exitCode` is the program's own; without one it did not run, or not to its end. Rejects with the signal's
 * reason once it is stopped. How long and how many at once is the runner's to bound.
 */
export type RunFfmpeg = (args: readonly string[], options: { owner: Owner; signal: AbortSignal }) => Promise<void>;

export interface SoundWork {
  input: { bytes: Buffer; demuxer: string };
  graph: string;
  output: readonly string[];
  /** The most bytes of the result. */
  maxBytes: number;
  context: CallContext;
}

/** `ranToItsEnd`: the program did its work, and of this sound nothing came that can be used. */
export type WorkedSound = { ok: true; bytes: Buffer } | { ok: false; why: string; ranToItsEnd: boolean };

/** One root for work on files: files that a crash leaves in it are swept out with the rest. */
const ROOT = path.join(tmpdir(), 'mediagate-work');

/** One sound into another, by way of two files in a folder that is gone afterwards. */
export async function workOnSound(
  runFfmpeg: RunFfmpeg,
  { input, graph, output, maxBytes, context }: SoundWork,
): Promise<WorkedSound> {
  await mkdir(ROOT, { recursive: true });
  const folder = await mkdtemp(path.join(ROOT, 'sound-'));
  try {
    const [from, to] = [path.join(folder, 'input'), path.join(folder, 'output')];
    await writeFile(from, input.bytes);
    // Forced, and nothing but files: left to guess, ffmpeg can take a file for a playlist, and fetch what that names.
    const read = ['-protocol_whitelist', 'file', '-f', input.demuxer, '-i', from];
    const complaint = await run(runFfmpeg, [...read, ...processing(graph), ...output, to], context);
    if (complaint !== undefined) return { ok: false, ...complaint, why: complaint.why.replaceAll(folder, '') };
    const { size } = await stat(to);
    if (size === 0 || size > maxBytes) return { ok: false, why: `a result of ${size} bytes`, ranToItsEnd: true };
    return { ok: true, bytes: await readFile(to) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Titles and comments are the source's, and may hold what its caller wrote. */
function processing(graph: string): string[] {
  return ['-filter_complex', graph, '-map', '[out]', '-map_metadata', '-1', '-vn', '-sn', '-dn'];
}

interface Complaint {
  why: string;
  ranToItsEnd: boolean;
}

async function run(
  runFfmpeg: RunFfmpeg,
  args: readonly string[],
  { owner = NOBODY, signal }: CallContext,
): Promise<Complaint | undefined> {
  try {
    await runFfmpeg(args, { owner, signal });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) return { why: 'stopped', ranToItsEnd: false };
    return { why: error.message, ranToItsEnd: 'exitCode' in error && typeof error.exitCode === 'number' };
  }
}
