import parseRange from 'range-parser';

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
  const ranges = parseRange(size, range);
  if (ranges === -1) return 'unsatisfiable';
  const first = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? undefined : ranges[0];
  return first ?? 'whole';
}
