import type { JsonObject, WorkerFamily } from '@mediagate/contracts';
import type { ProvenanceSource } from '@mediagate/provenance';

/** A stored output of a task, as its result names it. */
export interface StoredOutput {
  role: 'image' | 'video' | 'audio' | 'cover';
  url: string;
  contentType: string;
  expiresAt: Date;
  /** The digest of the bytes as they are stored, in hexadecimal. */
  sha256: string;
  width?: number;
  height?: number;
  /** Length of audio and video. */
  seconds?: number;
  /** Facts that the upstream reported about it. */
  facts?: JsonObject;
  /** A still image of the video. */
  coverUrl?: string;
  /** The statements of the vendor's file about where it comes from; absent where it states nothing. */
  provenance?: readonly OutputOrigin[];
  /** Perceptual hashes of what it shows; absent where that was not looked at. */
  hashes?: readonly bigint[];
  /** Absent where the operator wants no marks. */
  mark?: ResultMark;
}

/** A statement of the vendor's file, and whether the file that is kept still has it. */
export interface OutputOrigin extends ProvenanceSource {
  kept: boolean;
}

/** The fate of the mark that the operator wants in each file. */
export interface ResultMark {
  state: 'written' | 'signed' | 'unsigned' | 'stated' | 'unmarked';
  source_type: string | null;
  problem: string | null;
}

/** Everything in which one worker family differs from another. */
export interface FamilyProfile {
  family: WorkerFamily;
  /** Tasks in flight at once in one process. */
  concurrency: number;
  /**
   * Space in the work folder that is taken for each result before the vendor is asked, where vendors answer with the files themselves.
   * Larger ones come in all the same.
   */
  bytesPerOutput?: number;
  /**
   * Time for tasks in flight at a shutdown: longer than the longest call that answers with the result itself, because such
   * a call is paid for, and its result is lost if it is cut.
   */
  drainSeconds: number;
  /**
   * Pauses between checks of an accepted job, in milliseconds, where the upstream names none. They grow with the age of the
   * job, from `fromMs` to `toMs`.
   */
  checks: { fromMs: number; toMs: number };
  /** Roles of the files that make a result, without which a job has none; covers go along with them. */
  resultRoles: readonly StoredOutput['role'][];
  /** Makes the `result` object of the family's task record; `facts` are the parts of a result that are no files. */
  describeResult(outputs: readonly StoredOutput[], facts: JsonObject, operation: string | null): JsonObject;
}
