import { randomBytes } from 'node:crypto';
import { fromEnvironment } from './environment';

/** The Redis of this test run. Test files share it, so each keeps to keys under a `uniquePrefix()`. */
export function testRedisUrl(): string {
  return fromEnvironment('redisUrl');
}

export function uniquePrefix(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}
