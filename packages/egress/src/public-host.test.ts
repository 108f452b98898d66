import dns from 'node:dns';
import { promisify } from 'node:util';
import { lookupPublic } from './url-policy';

/** As a hosts file or a name server has them. */
const NAMES: Record<string, string[]> = {
  'vendor.example': ['93.184.215.14'],
  'inner.example': ['10.0.0.8'],
  'both.example': ['93.184.215.14', '10.0.0.8'],
};

describe('the look-up for connections to public hosts alone', () => {
  const look = promisify((name: string, done: (error: Error | null, found?: unknown) => void) =>
    lookupPublic(name, { all: true }, (error, found) => done(error, found)),
  );

  beforeEach(() => {
    jest.spyOn(dns, 'lookup').mockImplementation(((name: string, _: unknown, done: (...answer: unknown[]) => void) => {
      done(
        null,
        NAMES[name]?.map((address) => ({ address, family: 4 })),
      );
    }) as never);
  });
  afterEach(() => jest.restoreAllMocks());

  it('finds a name whose addresses are public', async () => {
    expect(await look('vendor.example')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  });

  it.each(['inner.example', 'both.example'])(
    'finds nothing under %s, which has an address that is not',
    async (name) => {
      await expect(look(name)).rejects.toMatchObject({ code: 'EADDRNOTPUBLIC' });
    },
  );
});
