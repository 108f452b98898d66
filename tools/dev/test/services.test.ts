import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, type ServiceInputs } from '../src/services';

function inputs(processes: 'many' | 'few'): ServiceInputs {
  return {
    databaseUrl: 'postgres://127.0.0.1/mediagate',
    redisUrl: 'redis://127.0.0.1',
    publicBaseUrl: 'http://127.0.0.1:8080',
    simulatorUrl: 'http://127.0.0.1:1',
    callbackOrigin: 'http://127.0.0.1:2',
    homePath: '/home',
    ffmpegPath: '/ffmpeg',
    configFile: '/config.yaml',
    keyPepper: 'pepper',
    previousKeyPepper: undefined,
    linkSecret: 'link',
    previousLinkSecret: undefined,
    sealingSecret: 'sealing',
    previousSealingSecret: undefined,
    signing: { certificate: 'made here', key: 'made here, too' },
    console: { port: 8081, secret: 'console' },
    processes,
    gatewayUrl: 'http://127.0.0.1:8080',
    adminGatewayUrl: undefined,
    healthPorts: new Map([['api', 3]]),
  };
}

const DOCKERFILE = join(__dirname, '../../../Dockerfile');

const SPARING = {
  SPARE_MEMORY: '1',
  DATABASE_POOL_SIZE: '2',
  API_POOL_SIZE: '4',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

describe('a service of few processes', () => {
  const variables = ['NODE_OPTIONS', ...Object.keys(SPARING)];
  const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
  beforeEach(() => {
    for (const name of variables) delete process.env[name];
  });
  afterAll(() => {
    for (const [name, value] of Object.entries(before)) if (value !== undefined) process.env[name] = value;
  });

  it('spares memory and connections', () => {
    expect(environmentOf('api', inputs('few'))).toMatchObject({ ...SPARING, NODE_OPTIONS: '--max-semi-space-size=2' });
  });

  it('goes by what the environment says of them', () => {
    const own = { SPARE_MEMORY: '0', DATABASE_POOL_SIZE: '7', MALLOC_ARENA_MAX: '8' };
    Object.assign(process.env, own);
    expect(environmentOf('api', inputs('few'))).toMatchObject({ ...SPARING, ...own });
  });

  it('is alone with that: one of many has the room for new objects that it has in the image', () => {
    const environment = environmentOf('api', inputs('many'));
    expect(environment['NODE_OPTIONS']).toBe(/NODE_OPTIONS=(\S+)/.exec(readFileSync(DOCKERFILE, 'utf8'))?.[1]);
    for (const name of Object.keys(SPARING)) expect(environment[name]).toBeUndefined();
  });
});

describe('a secret that `npm start` has read from a file', () => {
  const files = { DATABASE_URL_FILE: '/run/url', OIDC_CLIENT_SECRET_FILE: '/run/client' };
  beforeEach(() => void Object.assign(process.env, files));
  afterEach(() => {
    for (const name of Object.keys(files)) delete process.env[name];
  });

  it('is given to services as it was read; files of others are theirs to read', () => {
    const environment = environmentOf('console', inputs('many'));
    expect(environment['DATABASE_URL']).toBe('postgres://127.0.0.1/mediagate');
    expect(environment['DATABASE_URL_FILE']).toBeUndefined();
    expect(environment['OIDC_CLIENT_SECRET_FILE']).toBe('/run/client');
  });
});

describe('what signs results', () => {
  const variables = ['MEDIAGATE_SIGNING_CERTIFICATE', 'MEDIAGATE_SIGNING_KEY', 'MEDIAGATE_SIGNING_KEY_FILE'] as const;
  const signingIn = (environment: NodeJS.ProcessEnv) => variables.map((name) => environment[name]);
  beforeEach(() => {
    for (const name of variables) delete process.env[name];
  });
  afterAll(() => {
    for (const name of variables) delete process.env[name];
  });

  it('is a certificate that was made here, unless the environment names another: never one of each', () => {
    expect(signingIn(environmentOf('image', inputs('many')))).toEqual(['made here', 'made here, too', undefined]);
    process.env['MEDIAGATE_SIGNING_KEY_FILE'] = '/run/key.pem';
    expect(signingIn(environmentOf('image', inputs('many')))).toEqual([undefined, undefined, '/run/key.pem']);
  });
});
