import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisAddress, type RedisAddress } from './redis-address';

export type RedisClient = Redis | Cluster;

/** Options for answers as the server gives them: mapped answers have a type of their own. */
type ServerOptions = Omit<RedisOptions, 'replyMapping'>;

/** Limits of one connection, in the words of ioredis; a cluster has one to each of its servers. */
type Limits = Pick<
  RedisOptions,
  | 'commandTimeout'
  | 'connectTimeout'
  | 'enableAutoPipelining'
  | 'enableOfflineQueue'
  | 'maxRetriesPerRequest'
  | 'reconnectOnError'
  | 'retryStrategy'
  | 'socketTimeout'
>;

/** A connection that is given up waits so long for its goodbye; also one that never was there. */
const DISCONNECT_TIMEOUT_MS = 200;
/** A cluster's client learns of servers that came or went from what they answer, and at the latest after this time. */
const SLOTS_REFRESH_MS = 5000;

/**
 * Opens the Redis of a URL (`parseRedisAddress`). A server that froze, or was cut off, leaves its connections open: only `socketTimeout`
 * has them opened anew, at the server that took its place.
 *
 * @throws Error for a URL of Sentinels or of a cluster that is none.
 */
export function openRedis(url: string, limits: Limits): RedisClient {
  const address = parseRedisAddress(url);
  if (address.kind === 'cluster') return openCluster(address, limits);
  const options: ServerOptions = { ...limits, disconnectTimeout: DISCONNECT_TIMEOUT_MS };
  return address.kind === 'server'
    ? new Redis(address.url, options)
    : new Redis({ ...options, ...sentinelOptions(address) });
}

type SentinelAddress = RedisAddress & { kind: 'sentinel' };

function sentinelOptions({ places, login, sentinelLogin, tls, primary, db }: SentinelAddress): ServerOptions {
  return {
    ...login,
    db,
    name: primary,
    sentinels: places,
    ...(sentinelLogin.username && { sentinelUsername: sentinelLogin.username }),
    ...(sentinelLogin.password && { sentinelPassword: sentinelLogin.password }),
    ...(tls && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
  };
}

type ClusterAddress = RedisAddress & { kind: 'cluster' };

function openCluster({ places, login, tls }: ClusterAddress, limits: Limits): Cluster {
  const { retryStrategy, enableOfflineQueue = true, enableAutoPipelining = false, ...ofEachServer } = limits;
  const cluster = new Cluster(places, {
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
    enableOfflineQueue,
    enableAutoPipelining,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Certificates are for names.
    dnsLookup: (name, done) => done(null, name),
    redisOptions: { ...ofEachServer, ...login, disconnectTimeout: DISCONNECT_TIMEOUT_MS, ...(tls && { tls: {} }) },
  });
  return withConnectsThatEnd(cluster);
}

/**
 * Has `connect` of a cluster's client and its duplicates end with its own attempt or, where that has no end, with the first later one that
 * succeeds. It has none where a server takes the connection and does not answer, as a frozen one does: the client's own reconnect calls
 * `connect` again, and BullMQ would wait for the first promise for ever. All that wait share a listener: such attempts may be many.
 */
function withConnectsThatEnd(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster) as (...args: unknown[]) => Cluster;
  let connected: Promise<void> | undefined;
  const waitForNext = () =>
    new Promise<void>((resolve, reject) => {
      const stopWaiting = () => {
        connected = undefined;
        cluster.off('ready', ready).off('end', end);
      };
      const ready = () => resolve(stopWaiting());
      const end = () => {
        stopWaiting();
        reject(new Error('the connection to the cluster was given up'));
      };
      cluster.on('ready', ready).on('end', end);
    });
  cluster.connect = () => {
    connected ??= waitForNext();
    return Promise.race([connect(), connected]);
  };
  cluster.duplicate = ((...args: unknown[]) => withConnectsThatEnd(duplicate(...args))) as never;
  return cluster;
}
