import { ProbeError } from './probe-error';

/** Reading one file costs so much. Each part is counted before it is done. */
export interface Work {
  /** Parts looked at: reads, boxes, elements, frames. A long part counts once for each `STEP_BYTES`. */
  steps: number;
  /** Bytes brought from the source, a byte that is brought twice counted twice. */
  bytes: number;
}

const STEP_BYTES = 4096;
/** A reader takes a few to find out what a file is. */
const FREE_STEPS = 2_000;
const FREE_BYTES = 1024 * 1024;
/** Good files take one for some twenty bytes, and are brought once or twice. */
const STEPS_PER_BYTE = 1;
const READS_PER_BYTE = 8;

/**
 * The work that a file of `totalBytes` may cause. It grows with the file: one that sends its reader round in circles, or into
 * the same bytes again and again, ends it soon.
 */
export class WorkLimit {
  readonly spent: Work = { steps: 0, bytes: 0 };
  readonly most: Readonly<Work>;

  constructor(totalBytes: number) {
    this.most = {
      steps: FREE_STEPS + STEPS_PER_BYTE * totalBytes,
      bytes: FREE_BYTES + READS_PER_BYTE * totalBytes,
    };
  }

  /** To be called before bytes are brought. Throws ProbeError. */
  bring(bytes: number): void {
    if (this.spent.bytes + bytes > this.most.bytes) throw tooMuch();
    this.spent.bytes += bytes;
  }

  /** To be called before so many bytes are looked at. Throws ProbeError. */
  look(bytes: number): void {
    this.step(1 + Math.floor(bytes / STEP_BYTES));
  }

  /** To be called before what costs as much as so many steps. Throws ProbeError. */
  step(count: number): void {
    if (this.spent.steps + count > this.most.steps) throw tooMuch();
    this.spent.steps += count;
  }
}

function tooMuch(): ProbeError {
  return new ProbeError('reading the file takes more work than its size allows');
}
