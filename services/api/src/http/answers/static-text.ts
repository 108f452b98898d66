import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib';
import type { Request } from 'express';
import type { Exchange } from '../exchange';
import { answerUnchanged, setHeaders } from './conditional';
import { sendStream } from './send-stream';

interface Packed {
  /** Size of the text itself. */
  bytes: number;
  br: Buffer;
  gzip: Buffer;
}

type Encoding = 'br' | 'gzip' | 'identity';

/** The scale ends at 11. The script of 2.3 MB takes 0.2 s; at 9 it takes 1.3 s and is 3% smaller. The first reader waits for it. */
const BROTLI_QUALITY = 5;

/** Bytes hashed without a pause, in less than a millisecond. */
const HASHED_BYTES = 128 * 1024;

interface Made {
  digest: Promise<string>;
  packed: Promise<Packed>;
}

/**
 * A text that stays as it is while the process runs. It is compressed once, when somebody first asks for it or its digest, and kept
 * only so; threads of libuv do it, so that the event loop goes on. Who takes no compression gets it unpacked on the way.
 */
export class StaticText {
  readonly #contentType: string;
  readonly #load: () => Promise<Buffer>;
  #made: Made | undefined;

  constructor(contentType: string, load: () => Promise<Buffer>) {
    this.#contentType = contentType;
    this.#load = load;
  }

  /** Changes with the text; may stand in a path. It is there before the text is compressed. */
  digest(): Promise<string> {
    return this.#make().digest;
  }

  /** Answers GET and HEAD with the smallest form that the caller takes; 304 if the caller has it. */
  async send(exchange: Exchange, headers: Readonly<Record<string, string>>): Promise<void> {
    const { request, response } = exchange;
    const made = this.#make();
    const encoding = encodingFor(request);
    const described = { ...headers, ETag: `"${await made.digest}-${encoding}"`, Vary: 'Accept-Encoding' };
    if (answerUnchanged(exchange, described)) return;
    const packed = await made.packed;
    setHeaders(response, { ...described, 'Content-Type': this.#contentType });
    response.setHeader('Content-Length', encoding === 'identity' ? packed.bytes : packed[encoding].length);
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding).end(packed[encoding]);
    else if (request.method === 'HEAD') response.end();
    else await sendStream(createGunzip().end(packed.gzip), response);
  }

  #make(): Made {
    this.#made ??= make(this.#load());
    return this.#made;
  }
}

function make(text: Promise<Buffer>): Made {
  const packed = text.then(pack);
  // A text that cannot be loaded rejects both promises; if only the digest is awaited, the other rejection must not end the process.
  packed.catch(() => {});
  return { digest: text.then(digestOf), packed };
}

/** Hashes in pieces, so that nobody waits for the event loop meanwhile. */
async function digestOf(text: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < text.length; start += HASHED_BYTES) {
    hash.update(text.subarray(start, start + HASHED_BYTES));
    await setImmediate();
  }
  return hash.digest('hex').slice(0, 16);
}

async function pack(text: Buffer): Promise<Packed> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(text, { params }), promisify(gzip)(text)]);
  return { bytes: text.length, br, gzip: zipped };
}

function encodingFor(request: Request): Encoding {
  const accepted = (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) === encoding);
  return accepted ?? 'identity';
}
