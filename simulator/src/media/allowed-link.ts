/** The judgement on a link: fit to be called, no web address at all, or one of a host that is not listed. */
export type LinkState = 'allowed' | 'malformed' | 'foreign';

/** Judges a link that a caller gave before anything connects to it. */
export function judgeLink(link: string, allowedHosts: readonly string[]): LinkState {
  const url = URL.parse(link);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'malformed';
  return allowedHosts.includes(url.hostname) ? 'allowed' : 'foreign';
}
