import { GatewayError } from '@mediagate/contracts';
import type { Request } from 'express';
import type { Exchange } from './exchange';
import { memorySpent } from './memory-budget';

/** The caller closed the connection before the body was complete. */
export class CallerLeftError extends Error {
  constructor() {
    super('the caller closed the connection');
    this.name = 'CallerLeftError';
  }
}

export interface BodyLimits {
  maxBytes: number;
  timeoutMs: number;
}

/**
 * The whole body, bounded in bytes and time.
 *
 * @throws GatewayError `body_too_large`, at the declared length already; `unsupported_media_type` for a compressed body;
 * `invalid_request` when it does not arrive in time; `unavailable` when too many bodies are in memory. CallerLeftError.
 */
export async function readBodyBytes(exchange: Exchange, limits: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await followBody(exchange, limits, (chunk) => {
    if (!exchange.memory.take(chunk.length)) throw memorySpent();
    chunks.push(chunk);
  });
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * Watches a body go by and resolves at its end. At the first limit that is broken, or the first error of `onChunk`, it
 * rejects; what is still on its way is then read and dropped, so that the caller gets to read the answer.
 */
export async function followBody(
  { request, response }: Exchange,
  limits: BodyLimits,
  onChunk: (chunk: Buffer) => void = () => undefined,
): Promise<void> {
  refuseBeforeReading(request, limits.maxBytes);
  await new Promise<void>((resolve, reject) => {
    let size = 0;
    const timer = setTimeout(() => {
      // Somebody this slow is not waited for a second time.
      response.setHeader('Connection', 'close');
      fail(tooSlow());
    }, limits.timeoutMs);

    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > limits.maxBytes) {
        fail(tooLarge(limits.maxBytes));
        return;
      }
      try {
        onChunk(chunk);
      } catch (error) {
        fail(error);
      }
    }
    function onEnd(): void {
      stop();
      resolve();
    }
    function onGone(): void {
      fail(new CallerLeftError());
    }
    function fail(error: unknown): void {
      stop();
      request.resume();
      reject(error);
    }
    function stop(): void {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onGone);
    }
    // The error listener stays: a request that fails later must not end the process.
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

function refuseBeforeReading(request: Request, maxBytes: number): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new GatewayError('unsupported_media_type', 'Compressed request bodies are not supported.');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', `The request body is larger than ${describeBytes(maxBytes)}.`);
}

function tooSlow(): GatewayError {
  return new GatewayError('invalid_request', 'The request body did not arrive in time.');
}

export function describeBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / (1024 * 1024))} MB` : `${Math.floor(bytes / 1024)} kB`;
}
