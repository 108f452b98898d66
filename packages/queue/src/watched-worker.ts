import { type Job, Worker } from 'bullmq';

/** BullMQ's worker, which says when it looks for a job: by a command that waits for one, or by one that takes one. */
export class WatchedWorker extends Worker {
  /** Set it before the worker runs. */
  onLook: () => void = () => undefined;

  protected override getBlockTimeout(blockUntil: number): number {
    this.onLook();
    return super.getBlockTimeout(blockUntil);
  }

  protected override moveToActive(token: string, name?: string): Promise<Job> {
    this.onLook();
    return super.moveToActive(token, name);
  }
}
