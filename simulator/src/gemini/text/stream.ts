import type { JsonObject, StreamedReply } from '../../vendor-call/contract';

const BROKEN = '{"candidates":,"usageMetadata":[}{';

/** A stream of responses as the vendor frames it: as events, or as one array. */
export function streamOf(responses: Iterable<JsonObject>, { asArray }: { asArray: boolean }): StreamedReply {
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
