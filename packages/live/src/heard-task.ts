import { isTaskFailureReason, type TaskFailureReason } from '@mediagate/contracts';
import { WINDOW_BYTES } from './delivery';
import { createEventLine } from './event-line';
import type { Listening, LiveEvent } from './listening';
import type { Gone, Meeting, Sent, Taken } from './wire';

/** Unsaid acknowledgements of so many bytes do not wait for the next pulse. */
const TELL_BYTES = WINDOW_BYTES / 4;

/** What a task has to tell the process that hears it. */
export interface HeardTaskDeps {
  /** The worker waits to know what was taken. */
  tellTaken(workerId: string): void;
  tellGone(workerId: string, kind: Gone): void;
  /** No more events: forget it. */
  over(): void;
}

/** A task that somebody waits for, from the side of the process that the waiting happens in. Knows nothing of Redis. */
export interface HeardTask {
  listening: Listening;
  taskId: string;
  /** The worker that has it now. */
  workerId(): string | undefined;
  fence(): number;
  /** What the worker is told of it now. Undefined: that the caller has left. */
  report(): Taken | undefined;
  /** A worker asks. Undefined: it is none of its business any more. */
  meet(meeting: Meeting): 'here' | 'left' | undefined;
  hear(sent: Sent): void;
  /** The worker's list of what it has in hand came, with this task or without it. */
  hearBeat(isInHand: boolean): void;
  workerLost(): void;
}

export function createHeardTask(taskId: string, deps: HeardTaskDeps): HeardTask {
  const events = createEventLine<LiveEvent>(() => close());
  let [fence, received, taken, told, chunks, beatsMissed] = [0, 0, 0, 0, 0, 0];
  let workerId: string | undefined;
  let [isWhole, hasLeft, isOver] = [false, false, false];

  function endWith(event: LiveEvent): void {
    if (isOver) return;
    isOver = true;
    events.push(event);
    events.end();
    deps.over();
  }

  /** The worker may live all the same: it is told that it works for nobody, so that it does not settle. */
  function workerLost(): void {
    endWith({ kind: 'worker_lost', fence });
    if (workerId !== undefined) deps.tellGone(workerId, 'gone');
    workerId = undefined;
  }

  function close(): void {
    if (isOver) return;
    isOver = true;
    events.end();
    deps.over();
    if (workerId !== undefined) deps.tellGone(workerId, 'gone');
  }

  function hearChunk(number: number, bytes: Buffer): void {
    const isNext = number === chunks && !isWhole;
    chunks += 1;
    received += bytes.length;
    if (hasLeft) return;
    // A gap, or more than was agreed: what this worker sends is not to be relied on.
    if (!isNext || received - taken > WINDOW_BYTES) workerLost();
    else events.push({ kind: 'chunk', fence, bytes });
  }

  function released(): void {
    workerId = undefined;
    if (hasLeft) endWith({ kind: 'abandoned', fence });
  }

  const task: HeardTask = {
    taskId,
    workerId: () => workerId,
    fence: () => fence,
    report() {
      if (hasLeft) return undefined;
      told = taken;
      return [taskId, fence, taken];
    },
    meet(meeting) {
      const isNew = meeting.fence > fence;
      if (!isNew && meeting.workerId !== workerId) return undefined;
      // Another worker would begin from the beginning.
      if (isNew && received > 0) return undefined;
      if (isNew) {
        ({ fence, workerId } = meeting);
        [chunks, beatsMissed] = [0, 0];
        if (!hasLeft) events.push({ kind: 'claimed', fence });
      }
      return hasLeft ? 'left' : 'here';
    },
    hear({ workerId: sender, entry, bytes }) {
      if (entry.word === 'beat' || sender !== workerId || entry.fence !== fence) return;
      beatsMissed = 0;
      switch (entry.word) {
        case 'chunk':
          return hearChunk(entry.value, bytes);
        case 'whole':
          isWhole = true;
          if (hasLeft) return;
          if (entry.value !== received) workerLost();
          else if (taken === received) deps.tellTaken(sender);
          return;
        case 'settled':
          return endWith({ kind: 'settled', fence });
        case 'failed':
          return endWith({ kind: 'failed', fence, ...entry.value, reason: known(entry.value.reason) });
        case 'released':
          return released();
        case 'lost':
          return workerLost();
        default:
          return entry satisfies never;
      }
    },
    hearBeat(isInHand) {
      beatsMissed = isInHand ? 0 : beatsMissed + 1;
      // One list may have been made before the worker asked for this task, and read after.
      if (beatsMissed > 1) workerLost();
    },
    workerLost,
    listening: {
      get fence() {
        return fence;
      },
      acknowledge(bytes) {
        taken = Math.min(taken + bytes, received);
        const isLast = isWhole && taken === received;
        if (workerId !== undefined && (isLast || taken - told >= TELL_BYTES)) deps.tellTaken(workerId);
      },
      leave() {
        if (hasLeft || isOver) return;
        hasLeft = true;
        events.drop(({ kind }) => kind === 'chunk' || kind === 'claimed');
        if (workerId === undefined) endWith({ kind: 'abandoned', fence });
        else deps.tellGone(workerId, 'left');
      },
      close,
      [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
    },
  };
  return task;
}

/** A worker of another version may know reasons that this process does not. */
function known(reason: TaskFailureReason): TaskFailureReason {
  return isTaskFailureReason(reason) ? reason : 'internal_error';
}
