/** Host and port of a server. */
export interface Place {
  host: string;
  port: number;
}

export interface Login {
  username?: string;
  password?: string;
}

/** Where Redis is, as a URL names it. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | { kind: 'cluster'; places: Place[]; login: Login; tls: boolean }
  | {
      kind: 'sentinel';
      places: Place[];
      login: Login;
      sentinelLogin: Login;
      tls: boolean;
      primary: string;
      db: number;
    };

const SCHEME = /^(rediss?)\+(cluster|sentinel):$/;
const PORTS = { cluster: 6379, sentinel: 26379 };
const NODE = 'node';

/**
 * `redis://` or `rediss://` is one server, in the words of ioredis. `redis+cluster://user:password@host:port?node=host:port` is a
 * cluster, any of whose servers may be named. `redis+sentinel://user:password@host:port/primary/db?node=host:port` is the server that
 * these Sentinels name; their own login is `sentinel_user` and `sentinel_password` behind the `?`. With `rediss+` all speak TLS.
 *
 * @throws Error that shows nothing of the URL, which holds a password.
 */
export function parseRedisAddress(text: string): RedisAddress {
  const url = URL.parse(text);
  const [, scheme, kind] = SCHEME.exec(url?.protocol ?? '') ?? [];
  if (!url || (kind !== 'cluster' && kind !== 'sentinel')) return { kind: 'server', url: text };
  const shared = {
    places: [url.host, ...url.searchParams.getAll(NODE)].map((place) => parsePlace(place, PORTS[kind])),
    login: loginOf(decodeURIComponent(url.username), decodeURIComponent(url.password)),
    tls: scheme === 'rediss',
  };
  if (kind === 'cluster') return { kind, ...shared };
  const [, primary = '', db = '0'] = url.pathname.split('/').map(decodeURIComponent);
  if (primary === '')
    throw new Error(
      'a URL of Sentinels names their primary behind the first slash, as in redis+sentinel://host/primary',
    );
  if (!/^\d+$/.test(db))
    throw new Error('a URL of Sentinels has the number of a database behind the second slash, if anything');
  const sentinelLogin = loginOf(url.searchParams.get('sentinel_user'), url.searchParams.get('sentinel_password'));
  return { kind, ...shared, sentinelLogin, primary, db: Number(db) };
}

export function isRedisCluster(url: string): boolean {
  return parseRedisAddress(url).kind === 'cluster';
}

/** An IPv6 address stands in brackets, as in any URL. */
function parsePlace(text: string, defaultPort: number): Place {
  const url = URL.parse(`redis://${text}`);
  if (!url || url.hostname === '') throw new Error('a node of the URL of Redis is no host with a port');
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? defaultPort : Number(url.port) };
}

function loginOf(username: string | null, password: string | null): Login {
  return { ...(username && { username }), ...(password && { password }) };
}
