/**
 * The address of a request whose path has each run of slashes as one: clients join a base URL that ends in a slash and a path that begins
 * with one. What stands behind `?` stays, and so does an address with its scheme and host.
 */
export function withoutRepeatedSlashes(url: string): string {
  if (!url.includes('//') || !url.startsWith('/')) return url;
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  return url.slice(0, end).replace(/\/{2,}/g, '/') + url.slice(end);
}
