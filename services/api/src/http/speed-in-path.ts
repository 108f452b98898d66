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
