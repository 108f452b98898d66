/** What a link comes to: fit to be called, no web address at all, or one of a host that is not listed. */
export type LinkState = 'allowed' | 'malformed' | 'foreign';

/** Judges a link that a caller gave before anything connects to it. */
export function judgeLink(link: string, allowedHosts: readonly string[]): LinkState {
  // Not by `URL.canParse`: Node 20 refuses letters such as `é` there once the caller is optimised.
  try {
    const { protocol, hostname } = new URL(link);
    if (protocol !== 'http:' && protocol !== 'https:') return 'malformed';
    return allowedHosts.includes(hostname) ? 'allowed' : 'foreign';
  } catch {
    return 'malformed';
  }
}
