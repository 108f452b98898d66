import { fetchBounded } from './fetch-bounded';

/** A video, a sound or a document that a request points to, as far as its first bytes tell. */
export interface Reference {
  kind: 'video' | 'audio' | 'other';
  /** Length of a video whose index comes first; undefined otherwise. */
  seconds: number | undefined;
}

/** The sentence is fit for a vendor's error message. */
export type ReferenceSource = (link: string) => Promise<Reference | { problem: string }>;

const MAX_FIRST_BYTES = 256 * 1024;

/** Looks at the first bytes behind a link: enough to know that it is there and what it is. */
export function createReferenceSource(allowedHosts: string[]): ReferenceSource {
  return async (link) => {
    const fetched = await fetchBounded(link, { allowedHosts, maxBytes: MAX_FIRST_BYTES });
    if (fetched.kind === 'failed') return { problem: fetched.sentence };
    if (fetched.bytes.length === 0) return { problem: 'the file is empty' };
    return examine(fetched.bytes);
  };
}

function examine(bytes: Buffer): Reference {
  if (bytes.subarray(4, 8).toString('latin1') === 'ftyp') return { kind: 'video', seconds: movieSeconds(bytes) };
  const head = bytes.subarray(0, 12).toString('latin1');
  const isWav = head.startsWith('RIFF') && head.endsWith('WAVE');
  const isMp3 = head.startsWith('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
  return { kind: isWav || isMp3 ? 'audio' : 'other', seconds: undefined };
}

/** The `mvhd` box: after its name version and flags, two dates, the time scale and the duration in it. */
function movieSeconds(bytes: Buffer): number | undefined {
  const start = bytes.indexOf('mvhd', 0, 'latin1');
  if (start < 0 || start + 36 > bytes.length) return undefined;
  const isLong = bytes[start + 4] === 1;
  const timeScale = bytes.readUInt32BE(start + (isLong ? 24 : 16));
  const duration = isLong ? Number(bytes.readBigUInt64BE(start + 28)) : bytes.readUInt32BE(start + 20);
  return timeScale === 0 ? undefined : duration / timeScale;
}
