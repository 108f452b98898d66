import type { TaskFailure } from './delivery';

/** Names of a deployment's channels and keys; in braces, as the queues' are, so that a cluster keeps them on one node. */
export function namesOf(prefix = 'mediagate') {
  return {
    /** Every API process hears what is asked here. */
    meetings: `{${prefix}}:live:meetings`,
    workerChannel: (workerId: string) => `{${prefix}}:live:worker:${workerId}`,
    /** What workers send to one API process. */
    stream: (receiverId: string) => `{${prefix}}:live:receiver:${receiverId}`,
  };
}

export type Names = ReturnType<typeof namesOf>;

/** Asked of all API processes: who waits for the task that this worker has? */
export interface Meeting {
  taskId: string;
  fence: number;
  workerId: string;
}

/** So many bytes of a task were taken by its caller's socket since the task was claimed under that fence. */
export type Taken = [taskId: string, fence: number, bytes: number];

/** From an API process to a worker, by publish: each may be lost, and the next pulse makes up for it. */
export type ToWorker =
  | { kind: 'here' | Gone; taskId: string; fence: number; receiverId: string }
  | { kind: 'taken'; receiverId: string; tasks: Taken[] }
  /** All of the worker's tasks that this process hears; of any other it is `gone`. */
  | { kind: 'pulse'; receiverId: string; tasks: Taken[]; left: [taskId: string, fence: number][] };

/** The caller hung up; or nobody here hears the task, which is not the caller's doing. */
export type Gone = 'left' | 'gone';

interface Words {
  settled: null;
  failed: TaskFailure;
  released: null;
  lost: null;
  /** Bytes of all chunks: none comes after. */
  whole: number;
  /** Its number, from 0. */
  chunk: number;
}

type AboutTask = {
  [Word in keyof Words]: { word: Word; taskId: string; fence: number; value: Words[Word] };
}[keyof Words];

/** From a worker to an API process, in the order of its stream. */
export type Entry = AboutTask | { word: 'beat'; tasks: string[] };

export interface Sent {
  workerId: string;
  entry: Entry;
  /** Of a chunk; else empty. */
  bytes: Buffer;
}

/** A message that cannot be made sense of ends the session and not the process. */
export function decodeMessage<Message>(text: string, hear: (message: Message) => void, fail: (error: Error) => void) {
  try {
    hear(JSON.parse(text) as Message);
  } catch (error) {
    fail(error as Error);
  }
}

/** The fields of a stream's entry, as XADD takes them. */
export function encodeEntry({ workerId, entry, bytes }: Sent): (string | Buffer)[] {
  return ['entry', JSON.stringify([workerId, entry]), 'bytes', bytes];
}

/** The answer of XREAD in bytes: the entries in their order, and the id of the last one. */
export function decodeEntries(reply: unknown): { sent: Sent[]; lastId: string } | undefined {
  if (reply === null) return undefined;
  const [[, items] = []] = reply as [Buffer, [Buffer, Buffer[]][]][];
  const last = items?.at(-1);
  if (!items || !last) return undefined;
  const sent = items.map(([, [, head, , bytes]]) => {
    const [workerId, entry] = JSON.parse(String(head)) as [string, Entry];
    return { workerId, entry, bytes: bytes ?? EMPTY };
  });
  return { sent, lastId: last[0].toString('latin1') };
}

export const EMPTY = Buffer.alloc(0);
