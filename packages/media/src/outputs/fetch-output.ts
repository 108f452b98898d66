import type { Output } from '@mediagate/contracts';
import type { GuardedClient } from '@mediagate/egress';
import type { Ffmpeg } from '../ffmpeg/ffmpeg';
import type { Prober } from '../inspect/probe';
import type { WorkSpace } from '../work-space';
import { createGridCutter } from './cut-grid';
import { keepImage } from './keep-image';
import { createPlayableKeeper } from './keep-playable';
import { type FetchedOutput, OutputError } from './output';
import { maxBytesOf, type OutputSource, receiveOutput } from './receive-output';

/** Throws OutputError; EgressError with reason `aborted`, or the signal's own reason, when the signal came. */
export type OutputFetcher = (output: Output, source: OutputSource) => Promise<FetchedOutput>;

export interface OutputFetcherDeps {
  client: Pick<GuardedClient, 'stream'>;
  prober: Prober;
  /** Cuts video and makes covers; without it, there are none. */
  ffmpeg?: Ffmpeg;
  /** Where files are worked on; default: what `workSpaceSettings` say without a setting. */
  work?: WorkSpace;
}

/** Makes a vendor's output ours: fetched if it is a link, and taken for what its bytes are, not what the vendor called it. */
export function createOutputFetcher({ client, prober, ffmpeg, work }: OutputFetcherDeps): OutputFetcher {
  const keepPlayable = createPlayableKeeper({ prober, ffmpeg }, work);
  const cutGrid = createGridCutter();

  async function fetchFrom(output: Output, source: OutputSource): Promise<FetchedOutput> {
    const { role, keepSeconds, audioFormat, isGrid = false } = output;
    const receive = <T>(take: (chunks: AsyncIterable<Buffer>) => Promise<T>) =>
      receiveOutput(client, output, source, take);
    if (role === 'image' || role === 'cover') {
      const image = await receive((chunks) => keepImage(role, chunks));
      return isGrid ? cutGrid(image, source) : image;
    }
    return keepPlayable({
      role,
      keepSeconds,
      audioFormat,
      maxBytes: maxBytesOf(output),
      owner: source.owner,
      signal: source.signal,
      receive,
    });
  }

  return async (output, source) => {
    try {
      return await fetchFrom(output, source);
    } catch (error) {
      if (output.backupUrl === undefined || !(error instanceof OutputError && error.mayComeLater)) throw error;
      return fetchFrom({ ...output, url: output.backupUrl }, source);
    }
  };
}
