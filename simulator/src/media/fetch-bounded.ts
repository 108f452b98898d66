type BoundedFetch =
  | {
      kind: 'fetched';
      /** At most the bytes allowed. */
      bytes: Buffer;
      /** False when there was more. */
      isWhole: boolean;
      contentType: string;
    }
  /** The sentence is fit for a vendor's error message. */
  | { kind: 'failed'; sentence: string };

const FETCH_TIMEOUT_MS = 15_000;

/** Fetches a link for real as a vendor would, no further than `maxBytes`, and only from the hosts listed. */
export async function fetchBounded(
  link: string,
  { allowedHosts, maxBytes }: { allowedHosts: string[]; maxBytes: number },
): Promise<BoundedFetch> {
  const state = judgeLink(link, allowedHosts);
  if (state === 'malformed') return { kind: 'failed', sentence: 'the URL is not valid' };
  if (state === 'foreign') return { kind: 'failed', sentence: 'the URL could not be reached' };
  const stop = new AbortController();
  try {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    const response = await fetch(link, { redirect: 'error', signal });
    if (!response.ok) return { kind: 'failed', sentence: `the URL answered with status ${response.status}` };
    const contentType = response.headers.get('content-type') ?? '';
    return { kind: 'fetched', contentType, ...(await readAtMost(response, maxBytes)) };
  } catch {
    return { kind: 'failed', sentence: 'error while downloading the URL' };
  } finally {
    // Lets go of what was not read.
    stop.abort();
  }
}

async function readAtMost(response: Response, maxBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: length <= maxBytes };
}

/** The judgement on a link: fit to be called, no web address at all, or one of a host that is not listed. */
type LinkState = 'allowed' | 'malformed' | 'foreign';

/** Judges a link that a caller gave before anything connects to it. */
export function judgeLink(link: string, allowedHosts: readonly string[]): LinkState {
  const url = URL.parse(link);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'malformed';
  return allowedHosts.includes(url.hostname) ? 'allowed' : 'foreign';
}
