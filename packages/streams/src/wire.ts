import { isTaskFailureReason, type ListenerAddress, type Message, storedMessage } from '@mediagate/contracts';
import type { HandedTask } from './handed-task';
import type { TaskFailure } from './outgoing-stream';

/** Names of a deployment's channels and keys; in braces, as the queues' are, so that a cluster keeps them on one node. */
export function namesOf(prefix = 'mediagate') {
  return {
    /** Every API process receives the questions of workers here. */
    questions: `{${prefix}}:live:meetings`,
    workerChannel: (workerId: string) => `{${prefix}}:live:worker:${workerId}`,
    /** What workers send to one API process. */
    stream: (receiverId: string) => `{${prefix}}:live:receiver:${receiverId}`,
  };
}

export type Names = ReturnType<typeof namesOf>;

/**
 * Grows with a change that a process of the release before would take for something else. Such a release also speaks the version before,
 * because both run beside each other while one replaces the other.
 */
export const WIRE_VERSION = 1;

/** Asked of all API processes: which of you has a caller who waits for the task that this worker has claimed? */
export interface ListenerQuestion {
  /** In which the worker is going to answer; absent: 1, of releases that do not name it. */
  version?: number;
  taskId: string;
  fence: number;
  workerId: string;
}

/** How many bytes of a task the caller's socket has taken since the task was claimed under that fence. */
export type Acknowledged = [taskId: string, fence: number, bytes: number];

/** From an API process to a worker, by publish: any message may be lost, and the next heartbeat makes up for it. */
export type ToWorker =
  | { kind: 'here'; taskId: string; fence: number; receiverId: string; direct?: Direct }
  | { kind: Gone; taskId: string; fence: number; receiverId: string }
  | { kind: 'acknowledged'; receiverId: string; tasks: Acknowledged[] }
  /** All of the worker's tasks that this process receives; any other is `gone`. */
  | { kind: 'heartbeat'; receiverId: string; tasks: Acknowledged[]; left: [taskId: string, fence: number][] };

/** Where the worker may bring the answer without Redis between, once, with this token. Releases that do not know it bring it through Redis. */
export type Direct = ListenerAddress;

/** The caller hung up; or no caller here waits for the task, which is not a caller's doing. */
export type Gone = 'left' | 'gone';

/** `message` is in English, and all that a process of version 0.1 knows; `template` is what it is made of. */
export type SentFailure = Omit<TaskFailure, 'message'> & { message: string; template: Message };

/** A worker of another version may know reasons and messages that this process does not. */
export function readFailure({ reason: sent, param, ...stored }: SentFailure): TaskFailure {
  const reason = isTaskFailureReason(sent) ? sent : 'internal_error';
  return { reason, message: storedMessage(stored), ...(param === undefined ? {} : { param }) };
}

interface Values {
  settled: null;
  failed: SentFailure;
  released: null;
  lost: null;
  /** Bytes of all chunks: none comes after. */
  eof: number;
  /** The chunk's number, from 0. */
  chunk: number;
}

/** On a connection that carries one task under one fence. */
export type DirectEntry = { [Kind in keyof Values]: { kind: Kind; value: Values[Kind] } }[keyof Values];

/** A task for a worker that waits for one, and what the clock of that worker showed when the API process had last heard it say so. */
export interface Handed {
  task: HandedTask;
  /** By now. */
  workerTime: number;
  /** Before the task was booked, which may have taken long. */
  claimAskedAt: number;
}

/** From an API process to a worker, on such a connection. */
export type DirectAnswer =
  | { kind: 'heartbeat' | Gone }
  /** `keeps`: the connection may stay open after its answer. Releases that do not say so close it. */
  | { kind: 'welcome'; keeps?: boolean }
  | { kind: 'acknowledged'; bytes: number }
  | ({ kind: 'handed' } & Handed);

export type AboutTask = DirectEntry & { taskId: string; fence: number };

/** From a worker to an API process, in the order of its stream. */
export type Entry = AboutTask | { kind: 'heartbeat'; tasks: string[] };

export interface Sent {
  workerId: string;
  entry: Entry;
  /** Of a chunk; else empty. */
  bytes: Buffer;
}

/** Kinds whose name on the wire is the one of version 0.1, so that processes of both versions understand each other. */
const ENTRY_NAMES: Readonly<Partial<Record<Entry['kind'], string>>> = { eof: 'whole', heartbeat: 'beat' };
const MESSAGE_NAMES: Readonly<Partial<Record<ToWorker['kind'], string>>> = {
  acknowledged: 'taken',
  heartbeat: 'pulse',
};
const ENTRY_KINDS = inverse(ENTRY_NAMES);
const MESSAGE_KINDS = inverse(MESSAGE_NAMES);

function inverse(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).map(([kind, name]) => [name, kind]));
}

export function encodeMessage(message: ToWorker): string {
  return JSON.stringify({ ...message, kind: MESSAGE_NAMES[message.kind] ?? message.kind });
}

/** @throws SyntaxError when the text is no message. */
export function decodeMessage(text: string): ToWorker {
  const { kind, ...rest } = JSON.parse(text) as ToWorker;
  return { ...rest, kind: MESSAGE_KINDS.get(kind) ?? kind } as ToWorker;
}

/** The fields of a stream's entry, as XADD takes them. */
export function encodeEntry({ workerId, entry: { kind, ...rest }, bytes }: Sent): (string | Buffer)[] {
  return ['entry', JSON.stringify([workerId, { word: ENTRY_NAMES[kind] ?? kind, ...rest }]), 'bytes', bytes];
}

/** The answer of XREAD in bytes: the entries in their order, and the id of the last one. */
export function decodeEntries(reply: unknown): { sent: Sent[]; lastId: string } | undefined {
  if (reply === null) return undefined;
  const [[, items] = []] = reply as [Buffer, [Buffer, Buffer[]][]][];
  const last = items?.at(-1);
  if (!items || !last) return undefined;
  const sent = items.map(([, [, head, , bytes]]) => ({ ...decodeHead(String(head)), bytes: bytes ?? EMPTY }));
  return { sent, lastId: last[0].toString('latin1') };
}

function decodeHead(head: string): { workerId: string; entry: Entry } {
  const [workerId, { word, ...rest }] = JSON.parse(head) as [string, { word: string }];
  return { workerId, entry: { ...rest, kind: ENTRY_KINDS.get(word) ?? word } as Entry };
}

export const EMPTY = Buffer.alloc(0);
