import type { FinishRequest } from './finish-request';

/** More ends than a process has in flight; the oldest are forgotten. */
const MAX_KEPT = 10_000;

/** An end under the name that no other end has. */
export interface NamedFinish extends FinishRequest {
  /** The id of its callback, should the task have one. */
  deliveryId: string;
}

/**
 * Ends that were sent to the database and not answered. A process sends such an end again under the same name, and may find that it
 * was its own. An end without a fence is not kept, because another process may have ended the task alike.
 */
export class DoubtfulEnds {
  readonly #deliveryIds = new Map<string, string>();

  /** The id that the end was sent under before; undefined: it was not. */
  deliveryIdOf(end: FinishRequest): string | undefined {
    return this.#deliveryIds.get(nameOf(end));
  }

  add(ends: readonly NamedFinish[]): void {
    for (const end of ends) if (end.fence !== 'any') this.#deliveryIds.set(nameOf(end), end.deliveryId);
    for (const oldest of this.#deliveryIds.keys()) {
      if (this.#deliveryIds.size <= MAX_KEPT) return;
      this.#deliveryIds.delete(oldest);
    }
  }

  /** The end is not in doubt any more. True for the first of several that ask for one end at once. */
  delete(end: FinishRequest): boolean {
    return this.#deliveryIds.delete(nameOf(end));
  }
}

function nameOf({ taskId, fence }: FinishRequest): string {
  return `${taskId}:${fence}`;
}
