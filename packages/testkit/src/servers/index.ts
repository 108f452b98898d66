export { ffmpegProgram } from './ffmpeg';
export { freePort, isPortFree } from './free-port';
export { endLeftoverPostgres, type Postgres, type PostgresOptions, startPostgres } from './postgres';
export { findPostgresPrograms } from './postgres-programs';
export { commandOf, type Exit, endProcess, untilExit, untilItAnswers, untilReady } from './process-control';
export { endLeftoverRedis, type Redis, type RedisOptions, startRedis } from './redis';
export { ensureRedis, type RedisProgram } from './redis-program';
export { findServerUser } from './server-user';
export { simulatorKeys } from './simulator-keys';
