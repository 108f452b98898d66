/** How an answer is put before a caller. */
export interface Framing {
  contentType: string;
  /** Bytes before the first piece, between two, and after the last. */
  open: Buffer;
  between: Buffer;
  close: Buffer;
  /** Bytes around each piece. */
  before: Buffer;
  after: Buffer;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const WRAPPER = { before: '{"code":200,"data":', after: '}' };
const EVENT = { before: 'data: ', after: '\r\n\r\n' };

/** One JSON object. */
export function wholeFraming(wrapped: boolean): Framing {
  return wrapped ? framing(JSON_TYPE, WRAPPER) : framing(JSON_TYPE, {});
}

/** Events, or the elements of one array; each piece wrapped like a single answer. */
export function streamFraming({ wrapped, sse }: { wrapped: boolean; sse: boolean }): Framing {
  const { before, after } = wrapped ? WRAPPER : { before: '', after: '' };
  if (!sse) return framing(JSON_TYPE, { before, after, open: '[', between: ',\r\n', close: ']' });
  return framing('text/event-stream', { before: EVENT.before + before, after: after + EVENT.after });
}

/** The piece in its frame; its own bytes are not touched. */
export function frame({ open, between, before, after }: Framing, piece: Buffer, first: boolean): Buffer {
  return Buffer.concat([first ? open : between, before, piece, after]);
}

type Parts = Partial<Record<Exclude<keyof Framing, 'contentType'>, string>>;

function framing(contentType: string, parts: Parts): Framing {
  const { open = '', between = '', close = '', before = '', after = '' } = parts;
  return {
    contentType,
    open: Buffer.from(open),
    between: Buffer.from(between),
    close: Buffer.from(close),
    before: Buffer.from(before),
    after: Buffer.from(after),
  };
}
