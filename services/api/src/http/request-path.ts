const SPEED = /^(fast|relax|turbo)(\/.*)$/s;

/**
 * The address of a request whose path begins with a speed as one that has it in its query: `/mj-fast/mj/submit/imagine` is
 * `/mj/submit/imagine?speed=fast`, whatever speed the query has. Clients of the image tool's older interface choose it by their base URL.
 *
 * @param prefix the first word of that interface's paths.
 */
export function withSpeedInQuery(url: string, prefix: string): string {
  const head = `/${prefix}-`;
  if (!url.startsWith(head)) return url;
  const [, speed, rest = ''] = SPEED.exec(url.slice(head.length)) ?? [];
  if (speed === undefined || !rest.startsWith(`/${prefix}/`)) return url;
  const [path, query = ''] = rest.split(/\?(.*)/s);
  const others = query.split('&').filter((each) => each !== '' && !/^speed(?:=|$)/.test(each));
  return `${path}?${[...others, `speed=${speed}`].join('&')}`;
}

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
