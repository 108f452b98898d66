import path from 'node:path';
import type { FileOnDisk, Owner, SoundFormat } from '@mediagate/contracts';
import { type Ffmpeg, FfmpegError, type RunOptions } from '../ffmpeg/ffmpeg';
import { inputArguments } from '../ffmpeg/input-format';
import { type Cover, makeCover } from '../ffmpeg/make-cover';
import { trim } from '../ffmpeg/trim';
import type { Prober } from '../inspect/probe';
import { ProbeError } from '../inspect/probe-error';
import type { ProbedMedia } from '../inspect/take-apart';
import { ImageError } from '../inspect-image';
import { type MediaType, sniff } from '../sniff';
import type { ByteSource } from '../sources/byte-source';
import { withFileSource } from '../sources/file-source';
import { type FetchedOutput, type MadeOf, OutputError } from './output';
import { judgeType } from './receive-output';

export interface PlayableOutput {
  role: 'audio' | 'video';
  /** The kept part ends here. */
  keepSeconds: number | undefined;
  /** The kept part is converted to this format, if it is sound of another one. */
  audioFormat?: SoundFormat | undefined;
  owner: Owner;
  signal: AbortSignal;
}

interface Playable extends FileOnDisk, MediaType {
  width?: number;
  height?: number;
  seconds: number;
  /** The work on the vendor's file that has led to this one. */
  actions: MadeOf['actions'];
}

/** Half of what a frame of sound and one of video take together. */
const TOLERANCE_SECONDS = 0.05;
const HEAD_BYTES = 4096;

export interface KeeperTools {
  prober: Prober;
  ffmpeg?: Ffmpeg | undefined;
}

/**
 * Makes sure that audio or video in a file can be played to its end, cuts it if the vendor made more than was asked for, and makes a
 * cover. What is made lies beside the file. Throws OutputError; the signal's reason.
 */
export async function keepPlayable(
  output: PlayableOutput,
  original: FileOnDisk,
  { ffmpeg, prober }: KeeperTools,
): Promise<Omit<FetchedOutput, 'dispose'>> {
  const { role, keepSeconds } = output;
  const tools = { ffmpeg, probe: prober.playable };
  const whole = await describe(original.path, output, tools.probe);
  const faults: string[] = [];
  const isLonger = keepSeconds !== undefined && whole.seconds > keepSeconds + TOLERANCE_SECONDS;
  const cutOff = isLonger ? await attempt(() => cut(whole, keepSeconds, output, tools), faults) : whole;
  const kept = await inFormat(cutOff ?? whole, output, { tools, faults });
  const { path: keptPath, totalBytes, actions, ...facts } = kept;
  const coverOf = { path: keptPath, extension: facts.extension };
  const cover: Cover | undefined =
    ffmpeg && role === 'video'
      ? await attempt(() => makeCover(ffmpeg, assertDecodable({ ...whole, ...coverOf }), output), faults)
      : undefined;
  const madeBy = (done: MadeOf['actions']) => ({ bytes: original, contentType: whole.contentType, actions: done });
  const withMadeOf = cover && { cover: { ...cover, madeOf: madeBy(['converted']) } };
  const asItWas = { ...facts, role, bytes: original, ...withMadeOf, faults };
  if (keptPath === original.path) return asItWas;
  return { ...asItWas, bytes: { path: keptPath, totalBytes }, madeOf: madeBy(actions) };
}

interface Tools {
  ffmpeg: Ffmpeg | undefined;
  probe: Prober['playable'];
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
    const actions: MadeOf['actions'] = exact && role === 'video' ? ['trimmed', 'transcoded'] : ['trimmed'];
    if (Math.abs(kept.seconds - keepSeconds) <= TOLERANCE_SECONDS) return { ...kept, actions };
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
  const converted = await attempt(convert, faults);
  return converted ? { ...converted, actions: [...sound.actions, 'transcoded'] } : sound;
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
    return { ...type, path: file, totalBytes, seconds, actions: [], ...(role === 'video' && media.video) };
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

const ENCODERS: Readonly<Record<SoundFormat, readonly string[]>> = {
  // A file of ffmpeg's format `mp4` declares itself a video. The index goes in front, so that a player can begin at once.
  m4a: ['-c:a', 'aac', '-b:a', '192k', '-movflags', '+faststart', '-f', 'ipod'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '192k', '-f', 'mp3'],
  wav: ['-c:a', 'pcm_s16le', '-f', 'wav'],
};

/** Writes a sound in another format beside it; answers where. Throws FfmpegError; the signal's reason. */
async function convertSound(
  ffmpeg: Ffmpeg,
  file: { path: string; extension: string },
  { format, ...options }: { format: SoundFormat } & Pick<RunOptions, 'owner' | 'signal'>,
): Promise<string> {
  const output = path.join(path.dirname(file.path), `converted.${format}`);
  const sound = ['-map', '0:a:0', '-map_metadata', '-1', '-vn', '-sn', '-dn'];
  await ffmpeg.run([...inputArguments(file), ...sound, ...ENCODERS[format], output], options);
  return output;
}
