import { Readable } from 'node:stream';
import type { MediaBytes, Output } from '@mediagate/contracts';
import type { Ffmpeg } from '../ffmpeg/ffmpeg';
import type { Prober } from '../inspect/probe';
import type { WorkSpace } from '../work-space';
import { createFileBringer, type FileBringer } from './bring-file';
import { createGridCutter, type GridCutter } from './cut-grid';
import { keepImage } from './keep-image';
import { keepPlayable } from './keep-playable';
import { type FetchedOutput, OutputError } from './output';
import { maxBytesOf, type OutputReceiver, type OutputSource, receiveOutput } from './receive-output';

/** Throws OutputError; EgressError with reason `aborted`, or the signal's own reason, when the signal came. */
export type OutputFetcher = (output: Output, source: OutputSource) => Promise<FetchedOutput>;

export interface OutputFetcherDeps extends OutputReceiver {
  prober: Prober;
  /** Cuts video and makes covers; without it, there are none. */
  ffmpeg?: Ffmpeg;
  /** Where files are worked on; default: what `workSpaceSettings` say without a setting. */
  work?: WorkSpace;
}

/** Makes a vendor's output ours: fetched if it is a link, and taken for what its bytes are, not what the vendor called it. */
export function createOutputFetcher({ ffmpeg, work, ...deps }: OutputFetcherDeps): OutputFetcher {
  const tools = { ...deps, ffmpeg, bringFile: createFileBringer(work), cutGrid: createGridCutter() };

  return async (output, source) => {
    try {
      return await fetchFrom(output, source, tools);
    } catch (error) {
      if (output.backupUrl === undefined || !(error instanceof OutputError && error.mayComeLater)) throw error;
      return fetchFrom({ ...output, url: output.backupUrl }, source, tools);
    }
  };
}

interface Tools extends OutputReceiver {
  prober: Prober;
  ffmpeg: Ffmpeg | undefined;
  bringFile: FileBringer;
  cutGrid: GridCutter;
}

async function fetchFrom(output: Output, source: OutputSource, tools: Tools): Promise<FetchedOutput> {
  const { bytes, dispose } = await bring(output, source, tools);
  try {
    return { ...(await keep(output, bytes, { ...tools, source })), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface Brought {
  bytes: MediaBytes;
  dispose(): Promise<void>;
}

/** Bytes in memory are few, but ffmpeg reads files. */
async function bring(output: Output, source: OutputSource, { bringFile, ...receiver }: Tools): Promise<Brought> {
  const isImage = output.role === 'image' || output.role === 'cover';
  if (output.bytes && (isImage || !Buffer.isBuffer(output.bytes))) {
    return { bytes: output.bytes, dispose: async () => undefined };
  }
  const { owner, signal, filesPerResult } = source;
  const { file, dispose } = await bringFile({
    maxBytes: maxBytesOf(output, receiver),
    filesPerResult,
    owner,
    signal,
    receive: (take) =>
      output.bytes ? take(Readable.from([output.bytes])) : receiveOutput(receiver, output, source, take),
  });
  return { bytes: file, dispose };
}

async function keep(
  { role, isGrid, keepSeconds, audioFormat }: Output,
  bytes: MediaBytes,
  { source, ...tools }: Tools & { source: OutputSource },
): Promise<Omit<FetchedOutput, 'dispose'>> {
  if (role === 'image' || role === 'cover') {
    const image = await keepImage(role, bytes);
    return isGrid ? tools.cutGrid(image, source) : image;
  }
  if (Buffer.isBuffer(bytes)) throw new TypeError('sound and videos are brought into files');
  const { owner, signal } = source;
  return keepPlayable({ role, keepSeconds, audioFormat, owner, signal }, bytes, tools);
}
