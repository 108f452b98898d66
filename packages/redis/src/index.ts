export { findServer, type OpenConnection } from './find-server';
export { nodesOf, type RedisNode } from './nodes';
export { openRedis, type RedisClient } from './open-redis';
export { type RedisServer, readRedisServers } from './read-servers';
export { isRedisCluster } from './redis-address';
