/** An answer breaks the vendor's protocol; the message is for the log. */
export class MalformedAnswerError extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'MalformedAnswerError';
  }
}

export interface EventSplitter {
  /** The data of every event that is complete with these bytes. */
  push(bytes: Buffer): Buffer[];
  /** The event that is left when an answer ends without a last blank line. */
  end(): Buffer[];
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BETWEEN_LINES = Buffer.from(' ');
const DATA = Buffer.from('data:');

/**
 * Takes server-sent events apart, whatever pieces their bytes come in. Of each it keeps the data alone; several lines of it
 * are one JSON text, in which a line's end is the same as a space. eventsource-parser takes text alone: each byte would
 * be decoded before it is passed on, and its limit counts characters of what it buffers.
 *
 * @param maxBytes of one event.
 */
export function createEventSplitter(maxBytes: number): EventSplitter {
  /** The line that has no end yet. */
  let rest: Buffer[] = [];
  let restBytes = 0;
  let data: Buffer[] = [];
  let dataBytes = 0;

  function push(bytes: Buffer): Buffer[] {
    const events: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const line = takeLine(bytes.subarray(start, end));
      start = end + 1;
      if (line.length > 0) takeData(line);
      else if (data.length > 0) events.push(takeEvent());
    }
    if (start < bytes.length) keep(bytes.subarray(start));
    return events;
  }

  function takeLine(tail: Buffer): Buffer {
    const line = rest.length === 0 ? tail : Buffer.concat([...rest, tail]);
    rest = [];
    restBytes = 0;
    return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  }

  function takeData(line: Buffer): void {
    if (!line.subarray(0, DATA.length).equals(DATA)) return;
    const value = line.subarray(line[DATA.length] === SPACE ? DATA.length + 1 : DATA.length);
    if (data.length > 0) data.push(BETWEEN_LINES);
    data.push(value);
    dataBytes += value.length + 1;
    bound();
  }

  function takeEvent(): Buffer {
    const event = data.length === 1 ? (data[0] as Buffer) : Buffer.concat(data);
    data = [];
    dataBytes = 0;
    return event;
  }

  function keep(bytes: Buffer): void {
    rest.push(bytes);
    restBytes += bytes.length;
    bound();
  }

  function bound(): void {
    if (restBytes + dataBytes > maxBytes) throw new MalformedAnswerError(`an event of more than ${maxBytes} bytes`);
  }

  return { push, end: () => push(Buffer.from('\n\n')) };
}
