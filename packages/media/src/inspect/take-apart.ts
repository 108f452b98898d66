import {
  CustomSource,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputTrack,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import type { ReadBytes } from '../sources/byte-source';
import { boundInput } from './bound-input';
import { countPdfPages } from './count-pages';
import type { DocumentFacts } from './document-facts';
import { inspectPacked } from './packed-document';
import { pagedSource } from './paged-source';
import { WorkLimit } from './work-limit';

/** The facts that a container of audio or video states. With neither `video` nor `audio` it holds nothing that can be played. */
export interface ProbedMedia {
  seconds: number;
  /** Pixels as shown: turned, and stretched to square ones. */
  video?: { width: number; height: number };
  audio?: object;
}

/** A process finds this out about a file. */
export type Task =
  | { kind: 'playable'; totalBytes: number; toTheEnd: boolean }
  | { kind: 'pdf'; totalBytes: number }
  | { kind: 'document'; totalBytes: number };

/** Formats of one file each: a playlist names others. */
const FORMATS = [MP4, QTFF, WEBM, WAVE, MP3, OGG, FLAC];
const CACHE_BYTES = 4 * 1024 * 1024;

/** Takes a stranger's file apart, within the limit. Throws ProbeError, DocumentError, and whatever a library throws. */
export async function takeApart(
  task: Task,
  read: ReadBytes,
  work = new WorkLimit(task.totalBytes),
): Promise<ProbedMedia | number | DocumentFacts | undefined> {
  const bring: ReadBytes = async (start, end) => {
    work.bring(end - start);
    return read(start, end);
  };
  switch (task.kind) {
    case 'playable':
      return probe(task, bring, work);
    case 'pdf':
      return countPdfPages(task.totalBytes, bring);
    case 'document':
      return inspectPacked(pagedSource(task.totalBytes, bring, work));
  }
}

async function probe(
  { totalBytes, toTheEnd }: { totalBytes: number; toTheEnd: boolean },
  read: ReadBytes,
  work: WorkLimit,
): Promise<ProbedMedia> {
  const source = new CustomSource({
    getSize: () => totalBytes,
    read,
    maxCacheSize: CACHE_BYTES,
    // Whole pages of 64 kB: a sound of ten minutes is 25,000 reads, and each of them a message.
    prefetchProfile: 'fileSystem',
    // Prefetched reads fail together with the read that is awaited, which reports the error.
    handleUnhandledError: () => {},
  });
  const input = new Input({ formats: FORMATS, source });
  try {
    await boundInput(input, totalBytes, work);
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const tracks = [video, audio].filter((track) => track !== null);
    if (tracks.length === 0) return { seconds: 0 };
    if (toTheEnd) for (const track of tracks) await readLastPacket(track);
    const [first, end] = [await input.getFirstTimestamp(tracks), await input.computeDuration(tracks)];
    return {
      seconds: end - Math.max(0, first),
      ...(video && { video: { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() } }),
      ...(audio && { audio: {} }),
    };
  } finally {
    input.dispose();
  }
}

/** A file that lost its end still says of itself that it is whole: the last packet shows whether it is. */
async function readLastPacket(track: InputTrack): Promise<void> {
  const packet = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
  if (packet === null || packet.data.length === 0) throw new Error('the last packet is missing');
}
