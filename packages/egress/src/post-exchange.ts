import type { Dispatcher } from 'undici';

export interface PostRequest {
  path: string;
  headers: Record<string, string>;
  body: string | Buffer;
  /** The time limit of the call; its reason becomes the error. */
  signal: AbortSignal;
  /** Read at most; the rest is cut off. */
  maxResponseBytes: number;
}

export interface PostedAnswer {
  status: number;
  excerpt: string;
  /** The answer was read to its end, so that its connection may carry another request. */
  isWhole: boolean;
}

/** An answer is decided by its status line; its body is worth no longer wait than this. */
const BODY_WAIT_MS = 1_000;

/**
 * One POST over a connection, decided by the status line: however the body ends, drips or goes on for ever, it changes nothing. Rejects
 * with what the connection threw, or the signal's reason, when there is no status line.
 */
export function exchangePost(
  dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => void,
  request: PostRequest,
): Promise<PostedAnswer> {
  return new Promise((resolve, reject) => {
    const exchange = new PostExchange(request, { resolve, reject });
    const { path, headers, body } = request;
    if (request.signal.aborted) exchange.onAbort();
    else dispatch({ path, method: 'POST', headers, body }, exchange);
  });
}

interface Outcome {
  resolve(answer: PostedAnswer): void;
  reject(error: unknown): void;
}

class PostExchange implements Dispatcher.DispatchHandler {
  readonly #request: PostRequest;
  readonly #outcome: Outcome;
  readonly onAbort = () => this.#end(false, this.#request.signal.reason);
  #status: number | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: PostRequest, outcome: Outcome) {
    this.#request = request;
    this.#outcome = outcome;
    request.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  onRequestStart(): void {}

  onResponseStart(_: unknown, status: number): void {
    if (status < 200) return;
    this.#status = status;
    this.#timer = setTimeout(() => this.#end(false), BODY_WAIT_MS);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    const { maxResponseBytes } = this.#request;
    this.#chunks.push(chunk.subarray(0, maxResponseBytes - this.#bytes));
    this.#bytes += chunk.length;
    if (this.#bytes >= maxResponseBytes) this.#end(false);
  }

  onResponseEnd(): void {
    this.#end(true);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(false, error);
  }

  /** Only the first word counts: of a body that was left, more may still come. */
  #end(isWhole: boolean, error?: unknown): void {
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.onAbort);
    const [status, chunks] = [this.#status, this.#chunks];
    this.#chunks = [];
    if (status === undefined) this.#outcome.reject(error);
    else this.#outcome.resolve({ status, excerpt: excerptOf(chunks), isWhole });
  }
}

const MAX_EXCERPT_BYTES = 512;

/** The beginning of a body as printable text of at most 512 bytes, for an operator's eyes. */
function excerptOf(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  // Control characters become spaces (a database's text cannot hold NUL); the cut never splits a character.
  const text = Buffer.concat(chunks)
    .subarray(0, MAX_EXCERPT_BYTES)
    .toString('utf8')
    .replace(/\p{Cc}/gu, ' ');
  const encoded = Buffer.from(text, 'utf8').subarray(0, MAX_EXCERPT_BYTES);
  return new TextDecoder().decode(encoded, { stream: true });
}
