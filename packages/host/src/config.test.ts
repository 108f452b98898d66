import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, ConfigError, loadConfig, rereadSecret, type Settings, visibleSettings } from './config';
import { listVariables } from './list-variables';

const settings = {
  NAME: { type: 'string', about: 'a name' },
  SECRET: { type: 'string', secret: true, about: 'a secret' },
  LEVEL: { type: 'string', default: 'low', oneOf: ['low', 'high'], about: 'a level' },
  COUNT: { type: 'integer', default: 3, min: 1, max: 9, about: 'a count' },
  PORT: { type: 'port', default: null, about: 'a port' },
  SITE: { type: 'url', default: null, about: 'a site' },
  ON: { type: 'boolean', default: false, about: 'a switch' },
  PAGE: { type: 'http', default: null, about: 'a page' },
  PARTS: { type: 'list', default: [], about: 'some parts' },
  HOSTS: { type: 'hosts', default: [], about: 'some hosts' },
  ORIGINS: { type: 'origins', default: [], about: 'some origins' },
  PAGES: { type: 'origins', takesAll: true, default: [], about: 'some pages' },
} as const;

const REQUIRED = { NAME: 'a', SECRET: 's' };

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(settings, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
  }
  return [];
}

describe('settings from the environment', () => {
  it('read as values of their types', () => {
    const env = {
      ...REQUIRED,
      COUNT: '9',
      PORT: '0',
      SITE: 'https://a.example',
      ON: 'true',
      PAGE: 'https://A.example/path',
      PARTS: ' a, b,,',
      HOSTS: 'BÜCHER.example:8443, ::1,[2606:4700:0::1]',
      ORIGINS: 'http://10.0.0.8:9000,https://A.example/',
      PAGES: '*',
      LEVEL: 'high',
    };
    const expected = {
      ...REQUIRED,
      COUNT: 9,
      PORT: 0,
      SITE: 'https://a.example',
      ON: true,
      PAGE: 'https://A.example/path',
      PARTS: ['a', 'b'],
      HOSTS: ['xn--bcher-kva.example', '[::1]', '[2606:4700::1]'],
      ORIGINS: ['http://10.0.0.8:9000', 'https://a.example'],
      PAGES: ['*'],
      LEVEL: 'high',
    };
    expect(loadConfig(settings, env)).toEqual(expected);
  });

  it('have their defaults where a variable is absent, empty or blank', () => {
    const expected = {
      ...REQUIRED,
      LEVEL: 'low',
      COUNT: 3,
      PORT: undefined,
      SITE: undefined,
      ON: false,
      PAGE: undefined,
      PARTS: [],
      HOSTS: [],
      ORIGINS: [],
      PAGES: [],
    };
    expect(loadConfig(settings, REQUIRED)).toEqual(expected);
    expect(loadConfig(settings, { ...REQUIRED, COUNT: '', PORT: ' ', SITE: '', LEVEL: ' ' })).toEqual(expected);
  });

  it.each([
    ['127.0.0.1:9123', 'http://127.0.0.1:9123'],
    ['localhost:9123', 'http://localhost:9123'],
    ['http://10.0.0.8, app.example', 'http://app.example'],
    ['*', 'http://*'],
    ['ftp://a.example', 'http://ftp'],
    ['//', 'http://host:port'],
  ])('say what an origin looks like, where one is none: %s', (text, wanted) => {
    const wrong = text.split(', ').at(-1);
    expect(faultsOf({ ...REQUIRED, ORIGINS: text })).toEqual([
      `ORIGINS has ${wrong}, which is no origin, as ${wanted} is: some origins`,
    ]);
  });

  it.each([
    ['https://a.example', 'a.example'],
    ['https://a.example:8443/v1', 'a.example'],
    ['a.example, *.b.example', 'b.example'],
    ['a.example/v1', 'a.example'],
    ['ada@a.example', 'a.example'],
    ['*', 'gateway.example'],
    ['a b', 'gateway.example'],
    ['1:2:3', 'gateway.example'],
  ])('say what a host looks like, where one is none and would never be met: %s', (text, wanted) => {
    const wrong = text.split(', ').at(-1);
    expect(faultsOf({ ...REQUIRED, HOSTS: text })).toEqual([
      `HOSTS has ${wrong}, which is no host, as ${wanted} is: some hosts`,
    ]);
  });

  it.each(['localhost:8080', 'a.example:443', 'a.example', '//a.example', 'ftp://a.example', 'https://'])(
    'say how an address of HTTP begins, where one does not: %s',
    (text) => {
      expect(faultsOf({ ...REQUIRED, PAGE: text })).toEqual([
        'PAGE is not a URL that begins with http:// or https://: a page',
      ]);
    },
  );

  it('are reported with all their faults at once, by name and meaning', () => {
    const env = { COUNT: '10', PORT: '65536', SITE: 'nowhere', ON: 'yes', LEVEL: 'middle' };
    expect(faultsOf(env)).toEqual([
      'NAME is missing: a name',
      'SECRET is missing: a secret',
      'LEVEL is none of low, high: a level',
      'COUNT is not a whole number from 1 to 9: a count',
      'PORT is not a whole number from 0 to 65535: a port',
      'SITE is not a URL: a site',
      'ON is neither 1 nor 0: a switch',
    ]);
  });

  it.each(['0', '10', '1.5', '1e0', '0x3', 'three', '-1', '９'])('refuse %s as a count of 1 to 9', (text) => {
    expect(faultsOf({ ...REQUIRED, COUNT: text })).toEqual([expect.stringMatching(/^COUNT /)]);
  });

  it.each([
    [
      'postgresql://ada:secret@/books?host=/run/postgresql',
      'postgresql://ada:secret@localhost/books?host=/run/postgresql',
    ],
    ['postgres://ada@/books?host=/run&port=5433', 'postgres://ada@localhost/books?host=/run&port=5433'],
    ['postgresql:///books?host=/run/postgresql', 'postgresql:///books?host=/run/postgresql'],
    ['postgresql://ada@%2Frun%2Fpostgresql/books', 'postgresql://ada@%2Frun%2Fpostgresql/books'],
    ['unix://:secret@/run/redis.sock?db=1', 'unix://:secret@localhost/run/redis.sock?db=1'],
    ['unix:///run/redis.sock', 'unix:///run/redis.sock'],
  ])('take the URL of a socket in a form that each reads: %s', (text, expected) => {
    const { SITE } = loadConfig(settings, { ...REQUIRED, SITE: text });
    expect(SITE).toBe(expected);
    expect(URL.canParse(expected)).toBe(true);
  });

  it('refuse a URL of HTTP without a host', () => {
    expect(faultsOf({ ...REQUIRED, SITE: 'https://ada@/books' })).toEqual(['SITE is not a URL: a site']);
  });

  it('never repeat a value that does not fit, which may be a secret in the wrong place', () => {
    const env = { ...REQUIRED, COUNT: 'hunter2', SITE: 'hunter2', ON: 'hunter2', PORT: 'hunter2', LEVEL: 'hunter2' };
    expect(faultsOf(env)).toHaveLength(5);
    expect(faultsOf(env).join()).not.toContain('hunter2');
  });

  describe('that are secrets may stand in files', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'mediagate-secret-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    const fileOf = (text: string) => {
      const path = join(folder, 'secret');
      writeFileSync(path, text);
      return path;
    };

    it('read without the white space around them, and listed as set', () => {
      const env = { NAME: 'a', SECRET: ' ', SECRET_FILE: fileOf('hunter2\n') };
      const config = loadConfig(settings, env);
      expect(config.SECRET).toBe('hunter2');
      const [, secret] = listVariables(settings, config, env);
      expect(secret).toMatchObject({ name: 'SECRET', value: null, is_set: true, origin: 'environment' });
    });

    it('and in one place alone, in a file that has something', () => {
      const empty = fileOf(' \n');
      const gone = join(folder, 'gone');
      const faults = (env: NodeJS.ProcessEnv) => faultsOf({ NAME: 'a', ...env });
      expect(faults({ SECRET: 'hunter2', SECRET_FILE: empty })).toEqual([
        'SECRET_FILE and SECRET are both set, where one may be: a secret',
      ]);
      expect(faults({ SECRET_FILE: empty })).toEqual([`SECRET_FILE names ${empty}, which is empty: a secret`]);
      expect(faults({ SECRET_FILE: gone })).toEqual([
        `SECRET_FILE names ${gone}, which cannot be read (ENOENT): a secret`,
      ]);
      expect(faults({ SECRET: 's', LEVEL_FILE: gone })).toEqual([]);
    });

    it('and are read again as they are now, where they stand in one', async () => {
      const SECRET_FILE = fileOf('hunter2\n');
      expect(await rereadSecret('SECRET', { SECRET: 'hunter2' })).toBeUndefined();
      expect(await rereadSecret('SECRET', { SECRET_FILE })).toBe('hunter2');
      fileOf('hunter3\n');
      expect(await rereadSecret('SECRET', { SECRET_FILE })).toBe('hunter3');
      fileOf(' ');
      await expect(rereadSecret('SECRET', { SECRET_FILE })).rejects.toMatchObject({
        faults: [`SECRET_FILE names ${SECRET_FILE}, which is empty`],
      });
      const gone = { SECRET_FILE: join(folder, 'gone') };
      await expect(rereadSecret('SECRET', gone)).rejects.toThrow('which cannot be read (ENOENT)');
    });
  });

  it('are frozen', () => {
    const config = loadConfig(settings, REQUIRED);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(loadConfig(settings, { ...REQUIRED, HOSTS: 'a' }).HOSTS)).toBe(true);
  });

  it('are shown without the secrets and without what is absent', () => {
    const shown = visibleSettings(settings, loadConfig(settings, REQUIRED));
    expect(shown).toEqual({
      NAME: 'a',
      LEVEL: 'low',
      COUNT: '3',
      ON: 'false',
      PARTS: '',
      HOSTS: '',
      ORIGINS: '',
      PAGES: '',
    });
  });
});

describe('the list of what is in force', () => {
  it('says where a value comes from, and of a secret only whether it is set', () => {
    const env = { ...REQUIRED, COUNT: '9', SITE: 'https://ada:hunter2@a.example/?key=hunter2', LEVEL: ' ' };
    const listed = listVariables(settings, loadConfig(settings, env), env);
    const named = new Map(listed.map(({ name, value, is_set, origin }) => [name, [value, is_set, origin]]));
    expect(named.get('COUNT')).toEqual([9, true, 'environment']);
    expect(named.get('LEVEL')).toEqual(['low', true, 'default']);
    expect(named.get('PORT')).toEqual([null, false, 'default']);
    expect(named.get('SECRET')).toEqual([null, true, 'environment']);
    expect(JSON.stringify(listed)).not.toContain('hunter2');
  });
});

/** True when the types are the same; a mismatch is an error of the type check. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

describe('the type of the settings', () => {
  it('says which may be absent, and leaves that open where the declarations are not known', () => {
    type Known = Config<typeof settings>;
    const known: [
      Same<Known['NAME'], string>,
      Same<Known['LEVEL'], 'low' | 'high'>,
      Same<Known['COUNT'], number>,
      Same<Known['PORT'], number | undefined>,
      Same<Known['HOSTS'], readonly string[]>,
    ] = [true, true, true, true, true];
    const wide: Same<Config<Settings>[string], string | number | boolean | readonly string[] | undefined> = true;
    expect([...known, wide]).not.toContain(false);
  });
});
