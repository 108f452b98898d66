export { BROWSER_ARGUMENTS, findBrowser } from './browser';
export { createTestDatabase, type TestDatabase } from './test-database';
export { testRedisUrl, uniquePrefix } from './test-redis';
