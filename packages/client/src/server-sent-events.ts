import { ConnectionError } from './errors.ts';

/** One event of a stream; a comment has no data. */
export interface ServerSentEvent {
  id?: string;
  data?: string;
}

/**
 * The events and comments of a stream, until it ends. Leaving the loop closes the connection.
 *
 * @param silenceMs how long nothing may come; for what comes first `firstMs`
 * @throws ConnectionError when nothing came for so long, or the connection broke.
 */
export async function* eventsOf(
  stream: ReadableStream<Uint8Array>,
  { firstMs, silenceMs }: { firstMs: number; silenceMs: number },
): AsyncGenerator<ServerSentEvent> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let [rest, limitMs] = ['', firstMs];
  try {
    for (;;) {
      const { done, value } = await within(limitMs, reader.read());
      if (done) return;
      limitMs = silenceMs;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      yield* blocks.map(eventOf);
    }
  } finally {
    await reader.cancel().catch(ignore);
  }
}

/** Whatever else is wrong with a connection that is given up. */
function ignore(): void {}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ConnectionError(`Nothing came for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    throw cause instanceof ConnectionError ? cause : new ConnectionError('The stream broke off.', { cause });
  } finally {
    clearTimeout(timer);
  }
}

function eventOf(block: string): ServerSentEvent {
  const event: ServerSentEvent = {};
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(id|data):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') event.id = value;
    if (field === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
  }
  return event;
}
