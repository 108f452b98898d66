import { sharedSystem, stopSharedSystem } from '../system/shared-system';

/** One running system, driven by vendors' own clients and by `packages/client` as it is packed. Each part has accounts of its own. */
const PARTS = ['python', 'typescript'];

beforeAll(() => sharedSystem());
afterAll(stopSharedSystem);

describe.each(PARTS)('%s', (part) => {
  // Loading a part declares its tests.
  require(`./clients/${part}`);
});
