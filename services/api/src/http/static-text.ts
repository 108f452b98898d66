import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib';
import type { Request } from 'express';
import { answerUnchanged, setHeaders } from './conditional';
import type { Exchange } from './exchange';
import { sendStream } from './send-stream';

interface Packed {
  digest: string;
  /** Of the text itself. */
  bytes: number;
  br: Buffer;
  gzip: Buffer;
}

type Encoding = 'br' | 'gzip' | 'identity';

/** Of 11: a sixth larger than the smallest, in a twentieth of the time. */
const BROTLI_QUALITY = 9;

/**
 * A text that stays as it is while the process runs. It is compressed once, when somebody first asks for it, and kept only so: who
 * takes no compression gets it unpacked on the way.
 */
export class StaticText {
  readonly #contentType: string;
  readonly #load: () => Promise<Buffer>;
  #packed: Promise<Packed> | undefined;

  constructor(contentType: string, load: () => Promise<Buffer>) {
    this.#contentType = contentType;
    this.#load = load;
  }

  /** Changes with the text; may stand in a path. */
  async digest(): Promise<string> {
    return (await this.#pack()).digest;
  }

  /** To GET and HEAD, in the smallest form that the caller takes; 304 where the caller has it. */
  async send(exchange: Exchange, headers: Readonly<Record<string, string>>): Promise<void> {
    const { request, response } = exchange;
    const packed = await this.#pack();
    const encoding = encodingFor(request);
    const described = { ...headers, ETag: `"${packed.digest}-${encoding}"`, Vary: 'Accept-Encoding' };
    if (answerUnchanged(exchange, described)) return;
    setHeaders(response, { ...described, 'Content-Type': this.#contentType });
    response.setHeader('Content-Length', encoding === 'identity' ? packed.bytes : packed[encoding].length);
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding).end(packed[encoding]);
    else if (request.method === 'HEAD') response.end();
    else await sendStream(createGunzip().end(packed.gzip), response);
  }

  #pack(): Promise<Packed> {
    this.#packed ??= this.#load().then(pack);
    return this.#packed;
  }
}

async function pack(text: Buffer): Promise<Packed> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(text, { params }), promisify(gzip)(text)]);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { digest, bytes: text.length, br, gzip: zipped };
}

function encodingFor(request: Request): Encoding {
  const accepted = (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) === encoding);
  return accepted ?? 'identity';
}
