import { join } from 'node:path';
import type { Held, Slots } from '@mediagate/concurrency';
import type { Owner } from '@mediagate/contracts';
import { FileWriter, type WriteFailed } from '@mediagate/egress';
import type { WorkSpace } from '../work-space';
import { createWorkFolders, type WorkFolder } from './work-folder';

/** The work of one step of a task. */
export interface StepOfOwner {
  owner: Owner;
  signal: AbortSignal;
}

/** Space for an answer whose files nobody announced: one file of the largest that comes so. */
const UNANNOUNCED_BYTES = 128 * 1024 * 1024;

export interface StepFilesParts {
  space: Slots;
  makeFolder(): Promise<WorkFolder>;
  onFailure: WriteFailed;
}

/** The files that a vendor's answers become in one step, within the space that results have. They are removed with the step. */
export class StepFiles {
  readonly #parts: StepFilesParts;
  readonly #owner: Owner;
  readonly #closing = new AbortController();
  /** The step was called off, or is over. */
  readonly #signal: AbortSignal;
  #held: Promise<Held> | undefined;
  #folder: Promise<WorkFolder> | undefined;
  #files = 0;

  constructor(parts: StepFilesParts, { owner, signal }: StepOfOwner) {
    this.#parts = parts;
    this.#owner = owner;
    this.#signal = AbortSignal.any([signal, this.#closing.signal]);
  }

  /** Takes space for so many bytes. False: others have it now. */
  tryReserve(bytes: number): boolean {
    const held = this.#parts.space.tryTake({ owner: this.#owner, amount: bytes });
    if (held !== undefined) this.#held = Promise.resolve(held);
    return held !== undefined;
  }

  /** A new file. Its bytes wait while the disk takes nothing, and the first ones for space that was not reserved; it fails with the signal's reason. */
  readonly newFile = (): FileWriter => {
    const { onFailure } = this.#parts;
    return new FileWriter(() => this.#newPath(), { onFailure, waitsUntil: this.#signal });
  };

  async #newPath(): Promise<string> {
    this.#held ??= this.#parts.space.take({ owner: this.#owner, amount: UNANNOUNCED_BYTES }, this.#signal);
    await this.#held;
    this.#signal.throwIfAborted();
    this.#folder ??= this.#parts.makeFolder();
    const { path } = await this.#folder.catch((error: unknown) => {
      this.#folder = undefined;
      throw error;
    });
    this.#files += 1;
    return join(path, `answer-${this.#files}`);
  }

  /** Gives back what was reserved beyond these bytes: nothing more comes. */
  shrinkTo(bytes: number): void {
    // Where no space came, `newFile` has thrown why.
    void this.#held?.then(
      (held) => held.shrinkTo(bytes),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the step is over'));
    const folder = await this.#folder?.catch(() => undefined);
    // A folder that cannot be removed only takes space, and is swept later.
    await folder?.remove().catch(() => undefined);
    this.shrinkTo(0);
  }
}

export type OpenStepFiles = (step: StepOfOwner) => StepFiles;

export function createStepFiles(work: WorkSpace, onFailure: WriteFailed): OpenStepFiles {
  const makeFolder = createWorkFolders({ root: work.folder });
  const parts = { space: work.slots.resultBytes(work), makeFolder, onFailure };
  return (step) => new StepFiles(parts, step);
}
