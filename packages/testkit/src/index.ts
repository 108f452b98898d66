export { createTestDatabase, type TestDatabase } from './test-database';
export { testRedisUrl, uniquePrefix } from './test-redis';
