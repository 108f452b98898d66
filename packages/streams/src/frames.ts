/** A frame: its kind in one byte, the length of what follows in four, and so many bytes. */
const HEAD_BYTES = 5;
const [MESSAGE, AUDIO] = [0, 1];
export const MAX_MESSAGE_BYTES = 64 * 1024;

export interface FrameHandler {
  receiveMessage(message: Record<string, unknown>): void;
  /** The next bytes of the answer, in whatever parts they arrive. */
  receiveAudio(bytes: Buffer): void;
}

export function messageFrame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  return Buffer.concat([headOf(MESSAGE, text.length), text]);
}

/** Goes out before its bytes, which are not copied. */
export function audioHead(parts: readonly Buffer[]): Buffer {
  return headOf(
    AUDIO,
    parts.reduce((bytes, part) => bytes + part.length, 0),
  );
}

function headOf(kind: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(length, 1);
  return head;
}

/** Takes frames apart as their bytes arrive. It keeps a head and a message at most. */
export class FrameReader {
  readonly #handler: FrameHandler;
  #kind: number | undefined;
  #missing = HEAD_BYTES;
  #gathered: Buffer[] = [];
  maxMessageBytes = MAX_MESSAGE_BYTES;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  /** @throws Error for what no frame begins with, and for a message that is too long or no JSON object. */
  read(data: Buffer): void {
    for (let rest = data; rest.length > 0; ) {
      const part = rest.subarray(0, this.#missing);
      rest = rest.subarray(part.length);
      this.#missing -= part.length;
      if (this.#kind === AUDIO) this.#handler.receiveAudio(part);
      else this.#gathered.push(part);
      if (this.#missing === 0) this.#readWhole();
    }
  }

  #readWhole(): void {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    const kind = this.#kind;
    if (kind === undefined) {
      this.#readHead(bytes);
      return;
    }
    this.#kind = undefined;
    this.#missing = HEAD_BYTES;
    if (kind === MESSAGE) this.#handler.receiveMessage(parseMessage(bytes));
  }

  #readHead(head: Buffer): void {
    const [kind, length] = [head.readUInt8(0), head.readUInt32BE(1)];
    const isFit = kind === AUDIO || (kind === MESSAGE && length <= this.maxMessageBytes);
    if (!isFit || length === 0) throw new Error('no frame of a stream');
    this.#kind = kind;
    this.#missing = length;
  }
}

function parseMessage(bytes: Buffer): Record<string, unknown> {
  const message = JSON.parse(bytes.toString('utf8')) as unknown;
  if (typeof message !== 'object' || message === null) throw new Error('no message of a stream');
  return message as Record<string, unknown>;
}
