import type { Message } from '@mediagate/contracts';
import { DocumentError } from './document-facts';
import { ProbeError } from './probe-error';
import { type Task, takeApart } from './take-apart';

/*
 * The program of the processes in which strangers' files are taken apart; see `probe.ts`, which starts them. It asks for
 * whatever it reads.
 */

export interface ReadRequest {
  id: number;
  start: number;
  end: number;
}

/**
 * `cpuMs`: what the process has used since it began. `problem`: what is wrong with a file; callers may read it.
 */
export type FromProcess =
  | { read: ReadRequest }
  | { facts: unknown; cpuMs: number }
  | { failure: string; problem: Message | undefined; cpuMs: number };

export type ToProcess = { task: Task } | { answer: { id: number; bytes: Uint8Array } };

const reads = new Map<number, (bytes: Uint8Array) => void>();
let lastId = 0;

process.on('message', (message: ToProcess) => {
  if ('answer' in message) {
    reads.get(message.answer.id)?.(message.answer.bytes);
    reads.delete(message.answer.id);
    return;
  }
  takeApart(message.task, read).then(
    (facts) => send({ facts, cpuMs: usedCpuMs() }),
    (error: unknown) => {
      const failure = error instanceof Error ? error.message : String(error);
      send({ failure, problem: problemOf(error), cpuMs: usedCpuMs() });
    },
  );
});

// This process ends with the one that started it, and not before: a key pressed at a terminal is meant for that one, which may
// have a file to finish.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function send(message: FromProcess): void {
  process.send?.(message);
}

function read(start: number, end: number): Promise<Uint8Array> {
  lastId += 1;
  const id = lastId;
  send({ read: { id, start, end } });
  return new Promise((resolve) => reads.set(id, resolve));
}

function problemOf(error: unknown): Message | undefined {
  return error instanceof DocumentError || error instanceof ProbeError ? error.problem : undefined;
}

function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
