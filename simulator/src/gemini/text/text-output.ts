import type { Call, JsonObject, Reply, StreamedReply } from '../../vendor-call/contract';
import type { OutputKind } from '../output-kind';
import type { GenerateContentRequest } from '../request';
import { isArrayStream } from '../wire';
import { type Candidate, writeCandidate } from './candidate';
import { checkTextOrder, type TextOrder } from './order';
import { blockedResponse, responseOf, streamedResponses, sum, tokensOf, wholePiece } from './response';

interface TextJob {
  order: TextOrder;
  /** The prompt is refused, which is an answer like any other, and paid for. */
  blocked: boolean;
}

/** Models that answer with text. */
export const textOutput: OutputKind<TextJob> = { isAtOnce: true, prepare, run, stream };

function prepare(request: GenerateContentRequest, { model, call }: { model: string; call: Call }): TextJob {
  const order = checkTextOrder(request, model);
  return { order, blocked: call.faults.take('policy-submit') !== undefined };
}

function run(job: TextJob, call: Call): Reply {
  return { status: 200, body: special(job, call) ?? whole(job.order, call) };
}

function whole(order: TextOrder, call: Call): JsonObject {
  const candidates = candidatesOf(order);
  const pieces = candidates.map((candidate, index) => wholePiece(candidate, index, order.thinking.shown));
  const produced = candidates.map(tokensOf).reduce(sum);
  return responseOf(pieces, { order, call, produced });
}

function stream(job: TextJob, call: Call): StreamedReply {
  const asArray = isArrayStream(call.request);
  const only = special(job, call);
  const responses = only ? [only] : streamedResponses(job.order, candidatesOf(job.order), call);
  return streamOf(responses, { asArray });
}

function candidatesOf(order: TextOrder): Candidate[] {
  return Array.from({ length: order.candidates }, (_, index) => writeCandidate(order, index));
}

/** Answers that come in one piece whatever was asked for: refusals, and those that faults ask for. */
function special({ order, blocked }: TextJob, call: Call): JsonObject | undefined {
  const { faults } = call;
  if (blocked) return blockedResponse(order, call);
  const nothing = { candidatesTokens: 0, thoughtsTokens: 0 };
  if (faults.take('policy-result')) {
    return responseOf([{ index: 0, parts: [], finishReason: 'SAFETY' }], { order, call, produced: nothing });
  }
  if (faults.take('empty-result')) return responseOf([], { order, call, produced: nothing });
  if (faults.take('wrong-type')) return { candidates: 'none', usageMetadata: 42 };
  return undefined;
}

const BROKEN = '{"candidates":,"usageMetadata":[}{';

/** A stream of responses as the vendor frames it: as events, or as one array. */
function streamOf(responses: Iterable<JsonObject>, { asArray }: { asArray: boolean }): StreamedReply {
  const { headers, spoiling, chunksOf } = asArray ? arrayOf : eventsOf;
  return { status: 200, headers, spoiling, chunks: chunksOf(responses) };
}

const eventsOf = {
  headers: { 'content-type': 'text/event-stream', 'content-disposition': 'attachment' },
  spoiling: event(BROKEN),
  async *chunksOf(responses: Iterable<JsonObject>): AsyncGenerator<Buffer> {
    for (const response of responses) yield event(JSON.stringify(response));
  },
};

const arrayOf = {
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  spoiling: Buffer.from(`[${BROKEN}`),
  async *chunksOf(responses: Iterable<JsonObject>): AsyncGenerator<Buffer> {
    let separator = '[';
    for (const response of responses) {
      yield Buffer.from(separator + JSON.stringify(response));
      separator = ',\r\n';
    }
    yield Buffer.from(separator === '[' ? '[]' : '\n]');
  },
};

function event(json: string): Buffer {
  return Buffer.from(`data: ${json}\r\n\r\n`);
}
