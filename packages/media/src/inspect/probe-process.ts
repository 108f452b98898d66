import type { Message } from '@mediagate/contracts';
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
import type { ByteSource } from '../sources/byte-source';
import { DocumentError, type DocumentFacts } from './document-facts';
import { inspectPacked } from './packed-document';
import { countPdfPages } from './pdf/count-pages';
import type { ProbedMedia } from './probed-media';

/*
 * The program of the processes in which strangers' files are taken apart; see `probe.ts`, which starts them. It asks for
 * whatever it reads.
 */

/** What is to be found out about a file. */
export type Task =
  | { kind: 'playable'; totalBytes: number; toTheEnd: boolean }
  | { kind: 'pdf'; totalBytes: number }
  | { kind: 'document'; totalBytes: number };

export interface ReadRequest {
  id: number;
  start: number;
  end: number;
}

/** `problem`: what is wrong with a document; callers may read it. */
export type FromProcess = { read: ReadRequest } | { facts: unknown } | { failure: string; problem?: Message };

export type ToProcess = { task: Task } | { answer: { id: number; bytes: Uint8Array } };

/** Formats of one file each: a playlist names others. */
const FORMATS = [MP4, QTFF, WEBM, WAVE, MP3, OGG, FLAC];
const CACHE_BYTES = 4 * 1024 * 1024;

const reads = new Map<number, (bytes: Uint8Array) => void>();
let lastId = 0;

process.on('message', (message: ToProcess) => {
  if ('answer' in message) {
    reads.get(message.answer.id)?.(message.answer.bytes);
    reads.delete(message.answer.id);
    return;
  }
  take(message.task).then(
    (facts) => send({ facts }),
    (error: unknown) => {
      const failure = error instanceof Error ? error.message : String(error);
      send({ failure, ...(error instanceof DocumentError ? { problem: error.problem } : {}) });
    },
  );
});

// It ends with whoever started it, and not before: a key pressed at a terminal is meant for that one, which may have a file
// to finish.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function send(message: FromProcess): void {
  process.send?.(message);
}

async function take(task: Task): Promise<ProbedMedia | number | DocumentFacts | undefined> {
  const source: ByteSource = {
    totalBytes: task.totalBytes,
    read: (start, end) => readWithin(task.totalBytes, start, end),
  };
  switch (task.kind) {
    case 'playable':
      return probe(task);
    case 'pdf':
      return countPdfPages(source);
    case 'document':
      return inspectPacked(source);
  }
}

function read(start: number, end: number): Promise<Uint8Array> {
  lastId += 1;
  const id = lastId;
  send({ read: { id, start, end } });
  return new Promise((resolve) => reads.set(id, resolve));
}

async function readWithin(totalBytes: number, start: number, end: number): Promise<Buffer> {
  const last = Math.min(end, totalBytes);
  return start < last ? Buffer.from(await read(start, last)) : Buffer.alloc(0);
}

async function probe({ totalBytes, toTheEnd }: { totalBytes: number; toTheEnd: boolean }): Promise<ProbedMedia> {
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

/** What a file says of itself is true of a file that lost its end as well. */
async function readLastPacket(track: InputTrack): Promise<void> {
  const packet = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
  if (packet === null || packet.data.length === 0) throw new Error('the last packet is missing');
}
