import { Redis } from 'ioredis';
import { DISCONNECT_TIMEOUT_MS, type ServerOptions, sentinelOptions } from './open-redis';
import { type Login, type Place, parseRedisAddress, type RedisAddress } from './redis-address';

/** Makes a connection that is not yet connected, and that is not opened again once it broke. */
export type OpenConnection = () => Redis;

const MAX_MOVES = 3;

/**
 * The server that has a key, and with it all keys of its tag. It is meant for messages between processes: a cluster passes what is
 * published to all of its servers, and says only how many subscribers one of them has.
 *
 * @param limits of each connection, in the words of ioredis.
 * @throws Error when no server of a cluster says where the key is.
 */
export async function findServer(
  url: string,
  key: string,
  limits: Pick<ServerOptions, 'commandTimeout' | 'connectTimeout'>,
): Promise<OpenConnection> {
  const address = parseRedisAddress(url);
  const options: ServerOptions = {
    ...limits,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    protocol: 2,
  };
  switch (address.kind) {
    case 'server':
      return () => new Redis(address.url, options);
    case 'sentinel':
      return () => new Redis({ ...options, ...sentinelOptions(address), sentinelRetryStrategy: () => null });
    case 'cluster': {
      const connect = ofCluster(address, options);
      const place = await findPlace(address.places, key, connect);
      return () => connect(place);
    }
    default:
      return address satisfies never;
  }
}

function ofCluster({ login, tls }: { login: Login; tls: boolean }, options: ServerOptions): (place: Place) => Redis {
  return (place) => new Redis({ ...options, ...place, ...login, ...(tls && { tls: {} }) });
}

/** Of the servers that the URL names, the first one that answers knows. */
async function findPlace(
  places: (RedisAddress & { kind: 'cluster' })['places'],
  key: string,
  connect: (place: Place) => Redis,
): Promise<Place> {
  const failures: unknown[] = [];
  for (const place of places) {
    try {
      return await followMoves(place, key, connect);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'no server of the Redis Cluster says where a key is');
}

async function followMoves(first: Place, key: string, connect: (place: Place) => Redis): Promise<Place> {
  let place = first;
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    const next = await askFor(key, place, connect);
    if (next === undefined) return place;
    place = next;
  }
  throw new Error('the servers of the Redis Cluster name each other for a key');
}

/** Undefined: it has the key itself. */
async function askFor(key: string, place: Place, connect: (place: Place) => Redis): Promise<Place | undefined> {
  const redis = connect(place);
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.exists(key);
    return undefined;
  } catch (error) {
    const [, host, port] = ELSEWHERE.exec((error as Error).message) ?? [];
    if (port === undefined) throw error;
    // A server that does not know its own address names none: it is where it was asked.
    return { host: host || place.host, port: Number(port) };
  } finally {
    redis.disconnect();
  }
}

/** `ASK`: the slot is on its way there, and the key is not here any more, or not yet anywhere. */
const ELSEWHERE = /^(?:MOVED|ASK) \d+ (.*):(\d+)$/;
