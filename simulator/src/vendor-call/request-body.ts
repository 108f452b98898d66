import type { IncomingMessage } from 'node:http';

export type BodyRead = { kind: 'bytes'; bytes: Buffer } | { kind: 'too-large' };

/** Reads a body of at most `maxBytes`. The connection survives a body that is too large, so the refusal can be sent. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<BodyRead> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) break;
    chunks.push(chunk);
  }
  if (length <= maxBytes) return { kind: 'bytes', bytes: Buffer.concat(chunks) };
  // The rest is let through unread, or the caller would still be sending when the refusal goes out.
  request.resume();
  return { kind: 'too-large' };
}

/** The parsed JSON, or undefined when the text is not JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
