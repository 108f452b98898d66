import type { Readable } from 'node:stream';
import type { Lost } from './http-client';

export interface StreamRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  /** Sent as it is. */
  body?: Buffer;
  /** The caller's wish to stop, at any moment: before the answer, or in the middle of it. */
  signal: AbortSignal;
  /** From the first step, waiting for a free connection included, to the vendor's status line. */
  headersTimeoutMs: number;
  /** The longest silence of the vendor in the middle of its answer; a reader that makes it wait does not count. */
  bodyTimeoutMs: number;
}

export type StreamReply = StreamAnswer | Lost;

/** The vendor's status line arrived; the rest is on its way. */
export interface StreamAnswer {
  kind: 'answer';
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /**
   * The bytes as they come, undecoded; 64 KiB wait at most. Ends when the answer is whole, else breaks with a
   * `BrokenAnswerError`. Whoever has it must read it to its end or destroy it, which ends the call.
   */
  body: Readable;
}

export interface StreamingClient {
  /** Resolves whatever the vendor or the network does; never redirects, retries, or uses a proxy. */
  send(request: StreamRequest): Promise<StreamReply>;
  /** Ends what is under way and closes all connections. */
  close(): Promise<void>;
}
