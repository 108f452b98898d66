import type { Response } from 'express';
import type { Exchange } from '../exchange';

/** Headers of an answer that has versions. */
export type VersionHeaders = Readonly<Record<string, string>> & { readonly ETag: string };

export interface ByteRange {
  /** Both inclusive. */
  start: number;
  end: number;
}

/** Whether the caller's copy is the current one, by `If-None-Match`. Strong and weak tags count alike (RFC 9110, 13.1.2). */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const offered = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return offered.includes('*') || offered.includes(etag);
}

/** Answers 304, with the headers of the answer that it stands for, where the caller's copy is the current one; false: it is not. */
export function answerUnchanged({ request, response }: Exchange, headers: VersionHeaders): boolean {
  if (!isUnchanged(request.headers['if-none-match'], headers.ETag)) return false;
  setHeaders(response, headers);
  response.statusCode = 304;
  response.end();
  return true;
}

export function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/**
 * The part of a file of `size` bytes that is asked for. The whole file is always a right answer: to several parts at once,
 * to a range that cannot be read, and to a part of another version (`If-Range`).
 */
export function requestedRange(
  headers: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  size: number,
  etag: string,
): ByteRange | 'whole' | 'unsatisfiable' {
  const { range, 'if-range': ifRange } = headers;
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return 'whole';
  const [, from, to] = ONE_RANGE.exec(range) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'whole';
  if (from === '') return lastBytes(Number(to), size);
  if (Number(from) >= size) return 'unsatisfiable';
  if (to !== '' && Number(to) < Number(from)) return 'whole';
  return { start: Number(from), end: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** The range of the last bytes; a count beyond the size is the whole file. */
function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  return count === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - count), end: size - 1 };
}
