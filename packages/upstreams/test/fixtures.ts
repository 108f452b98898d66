import { join } from 'node:path';
import { type Fixture, readFixtures as readFolder } from '../src/conformance/fixtures';

export * from '../src/conformance/fixtures';

/** The fixtures of a protocol of this package. */
export function readFixtures(protocol: string): Fixture[] {
  return readFolder(join(__dirname, '../src', protocol, 'fixtures'));
}
