import { Slots } from '@mediagate/concurrency';

/** The part of the work folder that ffmpeg's files take, two at once: half of a small one. */
const FFMPEG_BYTES = 1024 * 1024 * 1024;

/** The files that a result may become in the work folder: two where a marked copy of it is made. */
export type FilesPerResult = 1 | 2;

/** A work folder has no less, so that a result of `resultBytes` fits beside ffmpeg's part. */
export function workBytesFor(resultBytes: number, filesPerResult: FilesPerResult = 1): number {
  const bytes = resultBytes * filesPerResult;
  return bytes + Math.min(FFMPEG_BYTES, bytes);
}

/** The bytes that results may have together in a work folder of `folderBytes`. */
export function resultBytesOf(folderBytes: number, filesPerResult: FilesPerResult = 1): number {
  const bytes = folderBytes - Math.min(FFMPEG_BYTES, Math.floor(folderBytes / 2));
  return Math.floor(bytes / filesPerResult);
}

/** One object a process: the families that it serves share its work folder and its cores. */
export class WorkSlots {
  /** Runs of ffmpeg, each of which can keep a core busy. One more waits. */
  readonly ffmpegRuns = new Slots({ capacity: 2, perOwner: 1, forTests: 1 });
  #resultBytes: Slots | undefined;

  /**
   * Bytes of results, from before they come in until they are stored; half of them for one owner's.
   *
   * @param maxBytes of the work folder. All families of a process read both from the same settings: the first one counts.
   */
  resultBytes({ maxBytes, filesPerResult }: { maxBytes: number; filesPerResult?: FilesPerResult }): Slots {
    this.#resultBytes ??= new Slots({ capacity: resultBytesOf(maxBytes, filesPerResult) });
    return this.#resultBytes;
  }
}
