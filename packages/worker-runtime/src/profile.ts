import type { Family, JsonObject } from '@mediagate/contracts';

/** A stored output of a task, as its result names it. */
export interface StoredOutput {
  role: 'image' | 'video' | 'audio' | 'cover';
  url: string;
  contentType: string;
  expiresAt: Date;
  width?: number;
  height?: number;
  /** Length of audio and video. */
  seconds?: number;
  /** What the upstream said of it. */
  facts?: JsonObject;
  /** A picture of the video. */
  coverUrl?: string;
}

/** All in which one worker family differs from another. */
export interface FamilyProfile {
  family: Family;
  /** Its results are cut, converted or get covers: the worker does not start without FFMPEG_PATH. */
  needsFfmpeg?: boolean;
  /** Tasks in hand at once in one process. */
  concurrency: number;
  /**
   * What the work in hand may take on shutdown: longer than the longest call that answers with the result itself, because
   * such a call, once cut, is paid for and lost.
   */
  drainSeconds: number;
  /**
   * Pauses in milliseconds between checks of an accepted job when the upstream names none: short while it is young, then
   * longer with its age, so that what takes long is asked about less often.
   */
  checks: { fromMs: number; toMs: number };
  /** The `result` object of the family's task record; `facts` is what the upstream made that is no file. */
  describeResult(outputs: readonly StoredOutput[], facts: JsonObject): JsonObject;
}
