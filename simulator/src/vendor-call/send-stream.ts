import type { Response } from 'express';
import type { Clock } from '../clock';
import type { Faults } from '../faults/chooser';
import { durationMs, share } from '../faults/scenarios';
import { closed, fired, trickle, written } from '../streaming';
import type { StreamedReply } from './contract';
import { SLOW_BODY_MS } from './send';

export interface SendStreamOptions {
  faults: Faults | undefined;
  clock: Clock;
  stop: AbortSignal;
  /** Called when the answer begins. */
  onHead(): void;
  /** Called with bytes of the body as they are handed to the system. */
  onSent(bytes: number): void;
}

export type StreamEnding = 'replied' | 'cut' | 'left';

/**
 * Sends each chunk as soon as it is made and the caller can take it. The headers go with the first chunk, so that work
 * that fails before it is no success. Faults that strike somewhere in the middle wait for the whole.
 */
export async function sendStream(
  response: Response,
  reply: StreamedReply,
  options: SendStreamOptions,
): Promise<StreamEnding> {
  const spoiler = spoilerOf(options.faults);
  if (spoiler) {
    const chunks = await collect(reply.chunks);
    begin(response, reply, options);
    return spoiler(response, { ...reply, chunks }, options);
  }
  for await (const chunk of reply.chunks) {
    begin(response, reply, options);
    if (!(await sent(response, chunk, options))) return 'left';
  }
  if (!options.stop.aborted) begin(response, reply, options);
  return end(response, options);
}

function begin(response: Response, { status, headers }: StreamedReply, { onHead }: SendStreamOptions): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, headers);
  onHead();
}

interface WholeReply extends Omit<StreamedReply, 'chunks'> {
  chunks: Buffer[];
}

type Spoiler = (response: Response, reply: WholeReply, options: SendStreamOptions) => Promise<StreamEnding>;

const HALF = '1/2';

function spoilerOf(faults: Faults | undefined): Spoiler | undefined {
  const slow = faults?.take('slow-body');
  if (slow) return slowly(durationMs(slow.value, SLOW_BODY_MS));
  const cut = faults?.take('stream-cut');
  if (cut) return cutAfter(cut.value);
  const stall = faults?.take('stream-stall');
  if (stall) return stallAfter(stall.value);
  if (faults?.take('malformed')) return malformed;
  return faults?.take('truncated-json') ? truncated : undefined;
}

function slowly(totalMs: number): Spoiler {
  return async (response, { chunks }, options) => {
    await trickle(response, Buffer.concat(chunks), { ...options, totalMs });
    return end(response, options);
  };
}

/** Without a proper end of the body. What was sent before is not lost, as a reset would lose it. */
function cutAfter(value: string): Spoiler {
  return async (response, { chunks }, options) => {
    if (!(await sent(response, beginning(chunks, value), options))) return 'left';
    response.destroy();
    return 'cut';
  };
}

function stallAfter(value: string): Spoiler {
  return async (response, { chunks }, options) => {
    await sent(response, beginning(chunks, value), options);
    await fired(options.stop);
    response.destroy();
    return 'left';
  };
}

/** Bare sound can only break off. */
const malformed: Spoiler = async (response, reply, options) => {
  if (!reply.spoiling) return cutAfter('0/1')(response, reply, options);
  return (await sent(response, reply.spoiling, options)) ? end(response, options) : 'left';
};

/** Ends properly, but half of it is missing. */
const truncated: Spoiler = async (response, { chunks }, options) =>
  (await sent(response, beginning(chunks, HALF), options)) ? end(response, options) : 'left';

function beginning(chunks: Buffer[], value: string): Buffer {
  const whole = Buffer.concat(chunks);
  return whole.subarray(0, Math.floor(whole.length * fraction(value)));
}

function fraction(value: string): number {
  const { succeed, of } = share(value || HALF);
  return Math.min(1, succeed / of);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

async function sent(response: Response, bytes: Buffer, { onSent }: SendStreamOptions): Promise<boolean> {
  const taken = await written(response, bytes);
  if (taken) onSent(bytes.length);
  return taken;
}

async function end(response: Response, { stop }: SendStreamOptions): Promise<StreamEnding> {
  if (response.destroyed || stop.aborted) {
    response.destroy();
    return 'left';
  }
  response.end();
  await closed(response);
  return response.writableFinished ? 'replied' : 'left';
}
