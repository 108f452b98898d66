import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { HeardTask } from './heard-task';
import { openInbox } from './inbox';
import type { Session } from './redis-sessions';
import type { LiveTiming } from './timing';
import { decodeMessage, type Gone, type Meeting, type Names, type Sent, type Taken, type ToWorker } from './wire';

export interface ReceiverSession extends Session {
  /** With the next turn of the event loop, together with what else the worker is to know. */
  tellTaken(workerId: string, task: HeardTask): void;
  tellGone(workerId: string, task: HeardTask, kind: Gone): void;
}

interface ReceiverSessionDeps {
  names: Names;
  connections: Redis[];
  fail(error: Error): void;
  tasks: ReadonlyMap<string, HeardTask>;
  timing: LiveTiming;
}

/** Hears the workers of all `tasks`, and tells them what was taken, for as long as the connections last. */
export async function openReceiverSession(deps: ReceiverSessionDeps): Promise<ReceiverSession> {
  const { names, fail, tasks, timing } = deps;
  const [commands, meetings, reading] = deps.connections as [Redis, Redis, Redis];
  const receiverId = randomUUID();
  /** When each worker that has a task of ours was last heard of. */
  const heardAt = new Map<string, number>();
  const toTell = new Map<string, Set<HeardTask>>();
  let tickedAt = performance.now();

  const tasksOf = (workerId: string) => [...tasks.values()].filter((task) => task.workerId() === workerId);

  function loseWorker(workerId: string): void {
    heardAt.delete(workerId);
    for (const task of tasksOf(workerId)) task.workerLost();
  }

  /** A channel that nobody hears belonged to a process that is gone. */
  function tell(workerId: string, message: ToWorker): void {
    const told = commands.publish(names.workerChannel(workerId), JSON.stringify(message));
    told.then((hearers) => {
      if (hearers === 0) loseWorker(workerId);
    }, fail);
  }

  function hearMeeting(meeting: Meeting): void {
    const { workerId, taskId, fence } = meeting;
    const kind = tasks.get(taskId)?.meet(meeting);
    if (kind === undefined) return;
    heardAt.set(workerId, performance.now());
    tell(workerId, { kind, taskId, fence, receiverId });
  }

  function hear(sent: Sent): void {
    const { workerId, entry } = sent;
    heardAt.set(workerId, performance.now());
    if (entry.word === 'beat') {
      const inHand = new Set(entry.tasks);
      for (const task of tasksOf(workerId)) task.hearBeat(inHand.has(task.taskId));
    } else {
      tasks.get(entry.taskId)?.hear(sent);
    }
  }

  function tellWhatWasTaken(): void {
    for (const [workerId, itsTasks] of toTell) {
      tell(workerId, { kind: 'taken', receiverId, tasks: takenOf(itsTasks) });
    }
    toTell.clear();
  }

  function pulse(): void {
    const now = performance.now();
    // This process itself stood still, and what came meanwhile is not read yet.
    const wasAway = now - tickedAt > timing.pulseMs + timing.silenceMs / 2;
    tickedAt = now;
    const byWorker = groupByWorker(tasks.values());
    for (const workerId of heardAt.keys()) if (wasAway || !byWorker.has(workerId)) heardAt.delete(workerId);
    for (const [workerId, itsTasks] of byWorker) {
      const lastHeardAt = heardAt.get(workerId) ?? now;
      heardAt.set(workerId, lastHeardAt);
      if (now - lastHeardAt > timing.silenceMs) {
        loseWorker(workerId);
        continue;
      }
      const left = itsTasks.filter((task) => task.report() === undefined).map(namedByFence);
      tell(workerId, { kind: 'pulse', receiverId, tasks: takenOf(itsTasks), left });
    }
    inbox.keep().catch(fail);
  }

  const lifetimeMs = 3 * timing.silenceMs;
  const inbox = await openInbox({ commands, reading, key: names.stream(receiverId), lifetimeMs, hear, fail });
  meetings.on('message', (_channel, text: string) => decodeMessage(text, hearMeeting, fail));
  await meetings.subscribe(names.meetings);
  const pulsing = setInterval(pulse, timing.pulseMs);

  return {
    tellTaken(workerId, task) {
      if (toTell.size === 0) setImmediate(tellWhatWasTaken);
      toTell.set(workerId, (toTell.get(workerId) ?? new Set()).add(task));
    },
    tellGone: (workerId, { taskId, fence }, kind) => tell(workerId, { kind, taskId, fence: fence(), receiverId }),
    async end() {
      clearInterval(pulsing);
      meetings.removeAllListeners('message');
      for (const task of [...tasks.values()]) task.workerLost();
      await inbox.close();
    },
  };
}

function takenOf(tasks: Iterable<HeardTask>): Taken[] {
  return [...tasks].flatMap((task) => {
    const taken = task.report();
    return taken === undefined ? [] : [taken];
  });
}

function namedByFence({ taskId, fence }: HeardTask): [string, number] {
  return [taskId, fence()];
}

function groupByWorker(tasks: Iterable<HeardTask>): Map<string, HeardTask[]> {
  const byWorker = new Map<string, HeardTask[]>();
  for (const task of tasks) {
    const workerId = task.workerId();
    if (workerId === undefined) continue;
    const group = byWorker.get(workerId);
    if (group) group.push(task);
    else byWorker.set(workerId, [task]);
  }
  return byWorker;
}
