import { Slots } from '@mediagate/concurrency';

/** The part of the work folder that ffmpeg's files take, two at once: half of a small one. */
const FFMPEG_BYTES = 1024 * 1024 * 1024;

/** A work folder has no less, so that a result of `resultBytes` fits beside ffmpeg's part. */
export function workBytesFor(resultBytes: number): number {
  return resultBytes + Math.min(FFMPEG_BYTES, resultBytes);
}

/** The bytes of a work folder of `folderBytes` that results may take together. */
export function resultBytesOf(folderBytes: number): number {
  return folderBytes - Math.min(FFMPEG_BYTES, Math.floor(folderBytes / 2));
}

/** One object a process: the families that it serves share its work folder and its cores. */
export class WorkSlots {
  /** Runs of ffmpeg, each of which can keep a core busy. One more waits. */
  readonly ffmpegRuns = new Slots({ capacity: 2, perOwner: 1, forTests: 1 });
  #resultBytes: Slots | undefined;

  /**
   * Bytes of results, from before they come in until they are stored; half of them for one owner's.
   *
   * @param maxBytes of the work folder. All families of a process read it from the same variable: the first one counts.
   */
  resultBytes(maxBytes: number): Slots {
    this.#resultBytes ??= new Slots({ capacity: resultBytesOf(maxBytes) });
    return this.#resultBytes;
  }
}
