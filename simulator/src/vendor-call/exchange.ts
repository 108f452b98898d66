import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../clock';
import type { FaultChooser, Faults } from '../faults/chooser';
import type { Callbacks } from '../jobs/callbacks';
import type { VendorJob } from '../jobs/vendor-job';
import type { Journal, JournalEntry, Operation } from '../journal/journal';
import { hangUpSignal } from '../streaming';
import { Refusal, type Reply, type StreamedReply, type Wire } from './contract';
import type { OpenCalls } from './open-calls';
import type { RateWindow } from './rate-window';
import { sendReply } from './send';
import { sendStream } from './send-stream';

export interface CallSurroundings {
  clock: Clock;
  journal: Journal;
  chooser: FaultChooser;
  rateWindow: RateWindow;
  /** Virtual milliseconds that a vendor takes to make an image. */
  imageMs: number;
  openCalls: OpenCalls;
  callbacks: Callbacks;
  /** A job that the vendor has taken. */
  findJob(wire: string, externalId: string): VendorJob<unknown> | undefined;
  /** Fires when the simulator stops: nobody is held any longer. */
  closing: AbortSignal;
}

/** One request while it is answered. */
export interface Exchange {
  request: Request;
  response: Response;
  requestId: string;
  entry: JournalEntry;
  /** Fires when the caller hangs up or the simulator stops. */
  stop: AbortSignal;
  /** Set once it is known what was asked for. */
  faults: Faults | undefined;
}

export type Ending =
  | { kind: 'reply'; reply: Reply | StreamedReply; refused?: boolean }
  /** The simulator cuts the connection. */
  | { kind: 'cut' }
  /** The caller hung up first. */
  | { kind: 'left' };

/** Opens a journal entry for a request, lets `decide` settle how it ends, ends it so, and closes the entry. */
export function serveExchange(
  { wire, operation, around }: { wire: Wire; operation: Operation; around: CallSurroundings },
  decide: (exchange: Exchange) => Promise<Ending>,
): RequestHandler {
  return async (request, response) => {
    const path = request.originalUrl.replace(/\?.*$/s, '').slice(0, 500);
    const entry = around.journal.open({ wire: wire.name, operation, method: request.method, path });
    const stop = hangUpSignal(response, around.closing);
    const exchange: Exchange = {
      request,
      response,
      requestId: wire.newRequestId(),
      entry,
      stop,
      faults: undefined,
    };
    const leave = around.openCalls.enter(entry);
    try {
      const ending = await settle(exchange, decide);
      entry.ending = await end(ending, exchange, { wire, around });
    } finally {
      leave();
    }
    // A job keeps its faults; what they do to later requests is no matter of this one.
    entry.scenarios = [...entry.scenarios];
    around.journal.touch();
  };
}

async function settle(exchange: Exchange, decide: (exchange: Exchange) => Promise<Ending>): Promise<Ending> {
  try {
    return await decide(exchange);
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'reply', reply: error.reply, refused: true };
    // The caller hung up while sending: reading fails, and nobody is left to hear why.
    if (!exchange.request.complete) return { kind: 'left' };
    throw error;
  }
}

async function end(
  ending: Ending,
  { request, response, requestId, entry, stop, faults }: Exchange,
  { wire, around }: { wire: Wire; around: CallSurroundings },
): Promise<JournalEntry['ending']> {
  if (ending.kind !== 'reply' || response.destroyed) {
    request.socket.resetAndDestroy();
    return ending.kind === 'cut' ? 'cut' : 'left';
  }
  for (const [name, value] of Object.entries(wire.replyHeaders(requestId, around.rateWindow.state()))) {
    response.setHeader(name, value);
  }
  const { refused } = ending;
  const reply = framed(ending, request, wire);
  const onSent = (bytes: number) => {
    entry.sentBytes += bytes;
  };
  const onHead = () => {
    entry.replyStatus = reply.status;
  };
  if ('chunks' in reply) return sendStream(response, reply, { faults, clock: around.clock, stop, onHead, onSent });
  onHead();
  const spoilt = refused !== true && reply.status < 300;
  const sent = await sendReply(response, reply, { faults, spoilt, clock: around.clock, stop, onSent });
  return sent ? 'replied' : 'left';
}

function framed({ reply, refused }: { reply: Reply | StreamedReply; refused?: boolean }, request: Request, wire: Wire) {
  if (!refused || 'chunks' in reply || !wire.frameRefusal) return reply;
  return wire.frameRefusal(reply, request);
}
