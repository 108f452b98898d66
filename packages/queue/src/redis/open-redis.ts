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
 * Has `connect` of a cluster's client and its duplicates end with the first attempt that succeeds, as that of one server does. The client's own
 * has no end where a server takes the connection and does not answer, as a frozen one does: the next attempt has a promise of its own, and
 * BullMQ would wait for the first for ever.
 */
function withConnectsThatEnd(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster) as (...args: unknown[]) => Cluster;
  cluster.connect = () => {
    let stopWaiting = () => {};
    const connected = new Promise<void>((resolve, reject) => {
      const end = () => reject(new Error('the connection to the cluster was given up'));
      cluster.once('ready', resolve).once('end', end);
      stopWaiting = () => void cluster.off('ready', resolve).off('end', end);
    });
    return Promise.race([connect(), connected]).finally(stopWaiting);
  };
  cluster.duplicate = ((...args: unknown[]) => withConnectsThatEnd(duplicate(...args))) as never;
  return cluster;
}
