import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Held, Slots } from '@mediagate/concurrency';
import type { Owner } from '@mediagate/contracts';
import { convertSound, type SoundFormat } from '../ffmpeg/convert-sound';
import { type Ffmpeg, FfmpegError } from '../ffmpeg/ffmpeg';
import { type Cover, makeCover } from '../ffmpeg/make-cover';
import { trim } from '../ffmpeg/trim';
import type { Prober } from '../inspect/probe';
import { ProbeError } from '../inspect/probe-error';
import type { ProbedMedia } from '../inspect/probed-media';
import { ImageError } from '../inspect-image';
import type { FileOnDisk } from '../media-bytes';
import { type MediaType, sniff } from '../sniff';
import type { ByteSource } from '../sources/byte-source';
import { withFileSource } from '../sources/file-source';
import { WorkSlots } from '../work-slots';
import { type WorkSpace, workSpaceOf } from '../work-space';
import { workSpaceSettings } from '../work-space-settings';
import { type FetchedOutput, OutputError } from './output';
import { judgeType } from './receive-output';
import { createWorkFolders, type WorkFolder } from './work-folder';

export interface PlayableOutput {
  role: 'audio' | 'video';
  /** The kept part ends here. */
  keepSeconds: number | undefined;
  /** The kept part is converted to this format, if it is sound of another one. */
  audioFormat?: SoundFormat | undefined;
  /** The output is no larger than this. */
  maxBytes: number;
  owner: Owner;
  signal: AbortSignal;
  /** Hands over the bytes as they come in. */
  receive<T>(take: (chunks: AsyncIterable<Buffer>) => Promise<T>): Promise<T>;
}

interface Playable extends FileOnDisk, MediaType {
  width?: number;
  height?: number;
  seconds: number;
}

/** Half of what a frame of sound and one of video take together. */
const TOLERANCE_SECONDS = 0.05;
const HEAD_BYTES = 4096;
const DEFAULTS = { WORK_FOLDER: undefined, WORK_FOLDER_MB: workSpaceSettings.WORK_FOLDER_MB.default };
/** Results that come in at once: four of one owner's, two of test work. */
const MAX_TRANSFERS = 8;

export interface KeeperTools {
  prober: Prober;
  ffmpeg?: Ffmpeg | undefined;
}

/**
 * Brings audio and video into a file, however large they are, makes sure that they can be played to their end, cuts them if
 * the vendor made more than was asked for, and makes a cover. Throws OutputError; the signal's reason.
 */
export function createPlayableKeeper(
  { prober, ffmpeg }: KeeperTools,
  { folder: root, maxBytes, slots }: WorkSpace = workSpaceOf(DEFAULTS, new WorkSlots()),
): (output: PlayableOutput) => Promise<FetchedOutput> {
  const bytes = slots.resultBytes(maxBytes);
  const transfers = new Slots({ capacity: MAX_TRANSFERS });
  const makeFolder = createWorkFolders({ root });
  const { playable: probe } = prober;

  /** The output's time limit begins with `receive`, so the waits for a turn and for bytes do not count. */
  async function bring(output: PlayableOutput): Promise<{ folder: WorkFolder; held: Held }> {
    const transfer = await transfers.take({ owner: output.owner }, output.signal);
    let held: Held | undefined;
    let folder: WorkFolder | undefined;
    try {
      held = await bytes.take({ owner: output.owner, amount: output.maxBytes }, output.signal);
      folder = await makeFolder();
      const file = fileIn(folder);
      await output.receive((chunks) => write(file, chunks));
      held.shrinkTo((await stat(file)).size);
      return { folder, held };
    } catch (error) {
      await folder?.remove();
      held?.release();
      throw error;
    } finally {
      transfer.release();
    }
  }

  return async (output) => {
    const { folder, held } = await bring(output);
    const dispose = () => folder.remove().finally(held.release);
    try {
      return { ...(await keep(output, fileIn(folder), { ffmpeg, probe })), dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  };
}

function fileIn(folder: WorkFolder): string {
  return path.join(folder.path, 'output');
}

interface Tools {
  ffmpeg: Ffmpeg | undefined;
  probe: Prober['playable'];
}

async function keep(output: PlayableOutput, file: string, tools: Tools): Promise<Omit<FetchedOutput, 'dispose'>> {
  const { role, keepSeconds } = output;
  const whole = await describe(file, output, tools.probe);
  const faults: string[] = [];
  const isLonger = keepSeconds !== undefined && whole.seconds > keepSeconds + TOLERANCE_SECONDS;
  const cutOff = isLonger ? await attempt(() => cut(whole, keepSeconds, output, tools), faults) : whole;
  const kept = await inFormat(cutOff ?? whole, output, { tools, faults });
  const { path: keptPath, totalBytes, ...facts } = kept;
  const { ffmpeg } = tools;
  const coverOf = { path: keptPath, extension: facts.extension };
  const cover: Cover | undefined =
    ffmpeg && role === 'video'
      ? await attempt(() => makeCover(ffmpeg, assertDecodable({ ...whole, ...coverOf }), output), faults)
      : undefined;
  const bytes = { path: keptPath, totalBytes };
  return { ...facts, role, bytes, ...(cover && { cover }), faults };
}

async function write(file: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

/** The limit of an image that is decoded, the same as for callers' images: it takes up to six bytes a pixel. */
const MAX_PIXELS = 64_000_000;

function assertDecodable<T extends { width?: number; height?: number }>(video: T): T {
  const { width = 0, height = 0 } = video;
  if (width * height <= MAX_PIXELS) return video;
  throw new OutputError(`the video of ${width}x${height} pixels is too large to be decoded`);
}

/** The limit of a video that is encoded anew, which takes memory for some ten of its images: 4K, in any of its shapes. */
const MAX_ENCODED_PIXELS = 4096 * 2304;

function assertEncodable({ width = 0, height = 0 }: Playable): void {
  if (width * height <= MAX_ENCODED_PIXELS) return;
  throw new OutputError(`the video of ${width}x${height} pixels is too large to be made anew`);
}

/** A result that was paid for is not thrown away because a step of the work on it failed. */
async function attempt<T>(work: () => Promise<T>, faults: string[]): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FfmpegError || error instanceof OutputError || error instanceof ImageError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** Cuts between packets if the result gets as long as it should be, which depends on where they begin; else encodes anew. */
async function cut(whole: Playable, keepSeconds: number, output: PlayableOutput, tools: Tools): Promise<Playable> {
  const { owner, signal, role } = output;
  const { ffmpeg, probe } = tools;
  assertDecodable(whole);
  if (ffmpeg === undefined) throw new FfmpegError('there is no ffmpeg to cut it with');
  for (const exact of [false, true]) {
    if (exact) assertEncodable(whole);
    const file = await trim(ffmpeg, whole, { keepSeconds, exact, owner, signal });
    const kept = await describe(file, output, probe);
    if (Math.abs(kept.seconds - keepSeconds) <= TOLERANCE_SECONDS) return kept;
  }
  throw new OutputError(`the ${role} of ${whole.seconds} s cannot be cut to ${keepSeconds} s`);
}

/** The sound in the format that is wanted, or as it is where that cannot be had. */
async function inFormat(
  sound: Playable,
  output: PlayableOutput,
  { tools: { ffmpeg, probe }, faults }: { tools: Tools; faults: string[] },
): Promise<Playable> {
  const { audioFormat: format, owner, signal } = output;
  if (format === undefined || format === sound.extension) return sound;
  const convert = async () => {
    if (ffmpeg === undefined) throw new FfmpegError(`there is no ffmpeg to bring it into ${format} with`);
    return describe(await convertSound(ffmpeg, sound, { format, owner, signal }), output, probe);
  };
  return (await attempt(convert, faults)) ?? sound;
}

function describe(file: string, { role, owner, signal }: PlayableOutput, probe: Prober['playable']): Promise<Playable> {
  return withFileSource(file, async (source) => {
    const { totalBytes } = source;
    const head = await source.read(0, HEAD_BYTES);
    const type = judgeType(role, head, totalBytes);
    const unplayable = (why: string, options?: { transient: boolean; cause: unknown }) =>
      new OutputError(`the ${role} of ${totalBytes} bytes cannot be played: ${why}`, options);
    const media: ProbedMedia = await probe(source, { owner, signal, toTheEnd: true }).catch((cause: unknown) => {
      throw cause instanceof ProbeError ? unplayable(cause.message, { transient: cause.tookTooLong, cause }) : cause;
    });
    if (media[role] === undefined) throw unplayable(`it holds no ${role}`);
    const isTakenForSound = type.contentType !== sniff(head)?.contentType;
    if (isTakenForSound && media.video !== undefined) throw unplayable('it is a video');
    if (!(media.seconds > 0)) throw unplayable('it has no length');
    if (await isCutOffWave(source, type)) throw unplayable('it is cut off');
    const seconds = Math.round(media.seconds * 1000) / 1000;
    return { ...type, path: file, totalBytes, seconds, ...(role === 'video' && media.video) };
  });
}

/** Sizes that say that the writer did not know. */
const UNKNOWN_SIZE_BYTES = 0xff00_0000;

/** WAV is the only sound without an index whose first bytes say how long the whole file was. */
async function isCutOffWave(source: ByteSource, { extension }: MediaType): Promise<boolean> {
  if (extension !== 'wav') return false;
  const behindHeader = (await source.read(4, 8)).readUInt32LE(0);
  return behindHeader < UNKNOWN_SIZE_BYTES && behindHeader + 8 > source.totalBytes + 1;
}
