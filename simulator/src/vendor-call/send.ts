import type { Response } from 'express';
import type { Clock } from '../clock';
import type { Faults } from '../faults/chooser';
import { durationMs } from '../faults/scenarios';
import { closed, trickle } from '../streaming';
import type { Reply } from './contract';
import { jsonText } from './long-id';

export interface SendOptions {
  faults: Faults | undefined;
  clock: Clock;
  stop: AbortSignal;
  /** Whether faults may spoil the JSON: of answers, not of refusals, which some vendors send under status 200. */
  spoilt: boolean;
  /** Called with bytes of the body as they are handed to the system. */
  onSent(bytes: number): void;
}

/** Time that a slow body takes when nothing asked for a figure. */
export const SLOW_BODY_MS = 2_000;

/** Sends a reply, spoiling a successful one as the faults ask. False when the caller hung up before the end. */
export async function sendReply(response: Response, reply: Reply, options: SendOptions): Promise<boolean> {
  const html = 'html' in reply.body && typeof reply.body['html'] === 'string' ? reply.body['html'] : undefined;
  const text = html ?? jsonText(reply.body);
  const bytes = Buffer.from(options.spoilt ? spoil(text, options.faults) : text);
  response.writeHead(reply.status, {
    'content-type': html === undefined ? 'application/json; charset=utf-8' : 'text/html',
    'content-length': bytes.length,
    ...reply.headers,
  });
  const slow = options.faults?.take('slow-body');
  if (slow) await trickle(response, bytes, { ...options, totalMs: durationMs(slow.value, SLOW_BODY_MS) });
  if (response.destroyed) return false;
  response.end(slow ? undefined : bytes);
  await closed(response);
  if (!slow && response.writableFinished) options.onSent(bytes.length);
  return response.writableFinished;
}

function spoil(json: string, faults: Faults | undefined): string {
  if (faults?.take('malformed')) return '{"created":,"data":[}{';
  if (faults?.take('truncated-json')) return json.slice(0, Math.floor(json.length / 2));
  return json;
}
