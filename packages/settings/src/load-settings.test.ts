import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@mediagate/contracts';
import { listChannelFields, listSections, loadSettings, type Settings, SettingsError } from './index';
import { openSource, readSource } from './load-settings';
import { resolveSecret, secretProblem } from './references';
import { setReferenceFaults } from './set-references';

const directory = mkdtempSync(join(tmpdir(), 'mediagate-settings-'));
const file = join(directory, 'mediagate.yaml');
afterAll(() => rmSync(directory, { recursive: true }));

const options = {
  env: { KEY: 'sk-secret-value', HOST: 'https://vendor.example', EMPTY: '', SPOKEN: 'Secret, said aloud' },
  protocols: new Set(['openai-images', 'gemini']),
  models: new Set(['imagegen-2', 'imageseed-4.0']),
  billingKeys: new Map([
    ['imagegen-2', new Set(['image_output', 'text_input'])],
    ['imageseed-4.0', new Set(['per_image'])],
    ['videoa', new Set(['per_second.480P', 'per_second.1080P'])],
    ['pen', new Set<string>()],
    ['pen@draw', new Set<string>()],
  ]),
};

/** As an adapter would: its one option is a number. */
const checkOptions = (protocol: string, { retries }: JsonObject) =>
  retries === undefined || typeof retries === 'number' ? undefined : `${protocol} wants retries as a number`;

const protocolsFor = (model: string) => (model === 'imagegen-2' ? ['openai-images'] : ['ark', 'gemini']);

const ref = (name: string) => `\${${name}}`;

const CHANNEL = `
channels:
  - id: main
    protocol: openai-images
    base_url: ${ref('HOST')}/v1/
    api_key: ${ref('KEY')}
    models: { imagegen-2: gpt-image-2 }
`;

function load(text: string): Settings {
  writeFileSync(file, text);
  return loadSettings(file, { ...options, checkOptions, takesFiles: (protocol) => protocol !== 'openai-images' });
}

/** Faults as `line:field: message`. */
function faults(text: string): string[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults.map((line) => line.replace(`${file}:`, ''));
    throw error;
  }
  return [];
}

const WRONG_PRICE = 'must be a price in currency units: a plain decimal of at least 0 with at most 9 places, as 0.30';

const channelWith = (line: string) => faults(`${CHANNEL}    ${line}\n`);
const priced = (yaml: string) => load(`${CHANNEL}prices:\n  ${yaml}\n`).prices;
const priceFaults = (yaml: string) => faults(`${CHANNEL}prices:\n  ${yaml}\n`);

describe('a channel', () => {
  it('is read with its references resolved and its defaults filled in', () => {
    expect(load(CHANNEL).channels).toEqual([
      {
        id: 'main',
        protocol: 'openai-images',
        baseUrl: 'https://vendor.example/v1',
        apiKey: 'sk-secret-value',
        models: new Map([['imagegen-2', 'gpt-image-2']]),
        priority: 1,
        weight: 1,
        media: 'pass',
        isTest: false,
        maxConcurrency: undefined,
        options: {},
      },
    ]);
  });

  it('takes priority, weight, concurrency and any options, whose references are resolved too', () => {
    const text = `${CHANNEL}    priority: 2\n    weight: 5\n    max_concurrency: 7\n    options: { region: "${ref('HOST')}", rehost: true, caps: [1, 2.5, null] }\n`;
    expect(load(text).channels[0]).toMatchObject({
      priority: 2,
      weight: 5,
      maxConcurrency: 7,
      options: { region: 'https://vendor.example', rehost: true, caps: [1, 2.5, null] },
    });
  });

  it.each([
    ['priority: -1', '8:channels[0].priority: must be a whole number from 0 to 1000'],
    ['weight: 0', '8:channels[0].weight: must be a whole number from 1 to 1000'],
    ['weight: "3"', '8:channels[0].weight: must be a whole number from 1 to 1000'],
    ['max_concurrency: 1.5', '8:channels[0].max_concurrency: must be a whole number from 1 to 100000'],
    ['options: [1]', '8:channels[0].options: must be a map, as in "key: value"'],
    ['options: { retries: no }', '8:channels[0].options: openai-images wants retries as a number'],
    [
      'options: { size: .nan }',
      '8:channels[0].options.size: must be text, a finite number, true, false, a list or a map',
    ],
  ])('refuses %s', (line, expected) => {
    expect(channelWith(line)).toEqual([expected]);
  });

  it('takes no way for files that its protocol does not have', () => {
    expect(load(`${CHANNEL}    media: rehost\n`).channels[0]?.media).toBe('rehost');
    expect(channelWith('media: upload')).toEqual([
      '8:channels[0].media: the protocol openai-images takes no files in its requests: use rehost',
    ]);
  });

  it('names the known keys when it meets an unknown one', () => {
    expect(channelWith('wieght: 2')).toEqual([
      '8:channels[0].wieght: unknown key: use one of id, protocol, base_url, api_key, models, priority, weight, max_concurrency, vendor, costs, credit_cost, media, options, test, state',
    ]);
  });

  it('needs every field that has no default', () => {
    expect(faults('channels:\n  - {}\n')).toEqual([
      '2:channels[0].api_key: is missing',
      '2:channels[0].id: is missing',
      '2:channels[0].protocol: is missing',
      '2:channels[0].base_url: is missing',
      '2:channels[0].models: is missing',
    ]);
  });

  it('needs an id of its own', () => {
    expect(faults(`${CHANNEL}${CHANNEL.replace('\nchannels:\n', '')}`)).toEqual([
      '8:channels[1].id: another channel has this id: give each its own',
    ]);
  });

  it('takes with a model until when its vendor serves it, and what follows it', () => {
    const text = CHANNEL.replace(
      'gpt-image-2 }',
      '{ name: gpt-image-2, served_until: 2027-01-06, replaced_by: next } }',
    );
    const [channel] = load(text).channels;
    expect(channel?.models).toEqual(new Map([['imagegen-2', 'gpt-image-2']]));
  });

  it.each([
    ['{ served_until: 2027-01-06 }', '.name: is missing'],
    ['{ name: m, served_until: 2027-02-30 }', '.served_until: must be a day, as 2027-01-06'],
    ['{ name: m, until: 2027-01-06 }', '.until: unknown key: use one of name, served_until, replaced_by'],
    ['[m]', ": must be the vendor's name of it, or a map of name, served_until and replaced_by"],
  ])('refuses %s as what a vendor serves', (value, fault) => {
    expect(faults(CHANNEL.replace('gpt-image-2 }', `${value} }`))).toEqual([`7:channels[0].models.imagegen-2${fault}`]);
  });

  it('names protocols and models that exist when it meets one that does not', () => {
    const text = CHANNEL.replace('openai-images', 'openai-image').replace('{ imagegen-2:', '{ imagegen-3:');
    expect(faults(text)).toEqual([
      '4:channels[0].protocol: no such protocol: use one of gemini, openai-images',
      '7:channels[0].models.imagegen-3: no such model: use one of imagegen-2, imageseed-4.0',
    ]);
  });

  it.each([
    ['ftp://vendor.example', 'must be an http or https URL'],
    ['vendor.example/v1', 'must be an http or https URL'],
    ['https://me:pass@vendor.example', 'must not carry credentials: use api_key'],
    ['https://vendor.example/?a=1', 'must not have a query or a fragment: paths are appended to it'],
    ['https://vendor.example/v1?', 'must not have a query or a fragment: paths are appended to it'],
    ['"https://vendor.example/v1#"', 'must not have a query or a fragment: paths are appended to it'],
  ])('refuses the base URL %s', (url, expected) => {
    expect(faults(CHANNEL.replace(`${ref('HOST')}/v1/`, url))).toEqual([`5:channels[0].base_url: ${expected}`]);
  });

  it('cannot serve a model that its protocol is not for, and names those that can', () => {
    writeFileSync(file, CHANNEL.replace('{ imagegen-2:', '{ imageseed-4.0: seed, imagegen-2:'));
    expect(() => loadSettings(file, { ...options, checkOptions, protocolsFor })).toThrow(
      /:7:channels\[0\]\.models\.imageseed-4\.0: the protocol openai-images cannot serve this model: map it in a channel of ark, gemini$/,
    );
  });

  it('is read as it once was even if its protocol cannot serve a model of it: its jobs are to be ended', () => {
    const source = { ...load(CHANNEL).channelSources.get('main'), models: { 'imageseed-4.0': 'seed' } };
    const channel = readSource(source, { ...options, checkOptions, protocolsFor });
    expect(channel.models.get('imageseed-4.0')).toBe('seed');
  });

  it('is read as it once was even if its options would be refused now', () => {
    const source = { ...load(CHANNEL).channelSources.get('main'), options: { retries: 'no' } };
    expect(readSource(source, { ...options, checkOptions }).options).toEqual({ retries: 'no' });
  });

  it('must serve something', () => {
    expect(faults(CHANNEL.replace('{ imagegen-2: gpt-image-2 }', '{}'))).toEqual([
      "7:channels[0].models: must map at least one model to the vendor's name of it",
    ]);
  });
});

describe('secrets and references', () => {
  it('reads the key of a channel from a file, without the end of its line, and names the file that is not there', () => {
    const key = join(directory, 'vendor.key');
    writeFileSync(key, 'sk-of-a-file\n');
    expect(load(CHANNEL.replace(ref('KEY'), ref(`file:${key}`))).channels[0]?.apiKey).toBe('sk-of-a-file');
    expect(faults(CHANNEL.replace(ref('KEY'), ref('file:/nowhere.key')))).toEqual([
      '6:channels[0].api_key: the file /nowhere.key cannot be read, is empty, or is no regular file of at most 64 KiB',
    ]);
  });

  it('takes a key of the database for no fault of the file, and opens a part of it with that key alone', () => {
    const text = CHANNEL.replace(ref('KEY'), ref('secret:acme'));
    const source = load(text).channelSources.get('main') ?? {};
    const opened = (ofDatabase: (name: string) => string | undefined) => openSource(source, { ...options, ofDatabase });
    expect(opened((name) => `of ${name}`)).toMatchObject({ kind: 'open', channel: { apiKey: 'of acme' } });
    expect(opened(() => undefined)).toMatchObject({ kind: 'faulty', faults: [{ field: 'api_key' }] });
  });

  it('refuses what results are signed by as the key of a channel, in the file and from operators', () => {
    const [key, channel] = [ref('secret:signing.acme'), 'channels[0].api_key'];
    const problem =
      'names signing.acme: secrets of signing. sign results, and no channel is given one: keep the key under another name';
    expect(faults(CHANNEL.replace(ref('KEY'), key))).toEqual([`6:${channel}: ${problem}`]);
    expect(setReferenceFaults({ api_key: key })).toEqual([{ field: 'api_key', message: problem }]);
    expect(setReferenceFaults({ api_key: ref('secret:acme') })).toEqual([]);
  });

  it.each([
    ['KEY', { env: { KEY: ' sk-padded\r\n' } }],
    ['secret:KEY', { env: {}, ofDatabase: () => '\uFEFF sk-padded\n' }],
  ])('reads the secret %s without the space around it', (name, sources) => {
    expect(resolveSecret(ref(name), sources)).toBe('sk-padded');
    const blank = { env: { KEY: ' \n' }, ofDatabase: () => '\n' };
    expect(secretProblem(ref(name), blank)).toMatch(/KEY/);
  });

  it.each(['sk-literal', `prefix-${ref('KEY')}`, `${ref('KEY')}${ref('KEY')}`, ref('KEY:-sk-default')])(
    'refuses the key %s, which is not one reference, without repeating it',
    (key) => {
      const [only, ...more] = faults(CHANNEL.replace(ref('KEY'), () => key));
      expect(more).toEqual([]);
      expect(only).toBe(
        `6:channels[0].api_key: is a secret: put it into an environment variable, a file or the database, and write ${ref('NAME_OF_THE_VARIABLE')}, ${ref('file:/path/of/it')} or ${ref('secret:its-name')} here`,
      );
    },
  );

  it('reads channels without their keys for a process that calls no vendor', () => {
    writeFileSync(file, CHANNEL.replace(ref('KEY'), ref('MISSING')));
    const [channel] = loadSettings(file, { ...options, checkOptions, keysOf: new Set() }).channels;
    expect(channel).toMatchObject({ id: 'main', apiKey: '' });
  });

  it('reads the keys of the protocols that a process speaks, and no others', () => {
    writeFileSync(file, CHANNEL);
    const protocol = loadSettings(file, { ...options, checkOptions }).channels[0]?.protocol ?? '';
    const keyFor = (spoken: string[]) =>
      loadSettings(file, { ...options, checkOptions, keysOf: new Set(spoken) }).channels[0]?.apiKey;
    expect(keyFor([protocol])).not.toBe('');
    expect(keyFor(['another'])).toBe('');
  });

  it.each(['MISSING', 'EMPTY'])('names the variable %s, which has no value', (name) => {
    expect(faults(CHANNEL.replace(ref('KEY'), ref(name)))).toEqual([
      `6:channels[0].api_key: the environment variable ${name} is not set: export ${name}=...`,
    ]);
  });

  it('refuses a reference with a default, which would hide a missing variable', () => {
    expect(faults(CHANNEL.replace(ref('HOST'), ref('HOST:-https://other.example')))).toContain(
      `5:channels[0].base_url: only ${ref('NAME')} is understood, without a default or an operator`,
    );
  });

  it('never repeats what a variable holds', () => {
    const spoken = CHANNEL.replace(/(id|protocol|base_url): .*/g, (_, key) => `${key}: ${ref('SPOKEN')}`);
    const text = `${spoken}webhooks: { allow_origins: ["${ref('SPOKEN')}"], allow_private_cidrs: ["${ref('SPOKEN')}"] }\n`;
    expect(faults(text)).toHaveLength(5);
    expect(faults(text).join()).not.toContain(options.env.SPOKEN);
  });
});

describe('the list of what is in force', () => {
  it('shows sections as they are written, or their defaults, and of a secret whether it is set', () => {
    const storage = `storage: { driver: s3, endpoint: '${ref('HOST')}', region: a, bucket: b, access_key_id: '${ref('KEY')}', secret_access_key: '${ref('SPOKEN')}' }`;
    const { sectionSources } = load(`${CHANNEL}webhooks: { timeout_seconds: 7 }\n${storage}\n`);
    const listed = listSections(sectionSources, { set: {}, secrets: { env: { KEY: 'sk-secret-value' } } });
    const named = new Map(listed.map(({ name, about: _, ...field }) => [name, field]));
    const shown = { secret: false, is_set: true };
    expect(named.get('webhooks.timeout_seconds')).toEqual({ ...shown, value: 7, origin: 'file' });
    expect(named.get('webhooks.retry_delays_seconds')).toEqual({ ...shown, value: [10, 30, 60], origin: 'default' });
    expect(named.get('uploads.per_key.stored_files')).toEqual({ ...shown, value: 5000, origin: 'default' });
    expect(named.get('storage.endpoint')).toEqual({ ...shown, value: ref('HOST'), origin: 'file' });
    const secret = { secret: true, value: null, origin: 'file' };
    expect(named.get('storage.access_key_id')).toEqual({ ...secret, is_set: true });
    expect(named.get('storage.secret_access_key')).toEqual({ ...secret, is_set: false });
  });

  it('shows a channel with what operators have set over it', () => {
    const source = load(CHANNEL).channelSources.get('main') ?? {};
    const listed = listChannelFields(source, {
      set: { weight: 4 },
      secrets: { env: { KEY: 'sk-secret-value' } },
    });
    const named = new Map(listed.map((field) => [field.name, [field.value, field.origin]]));
    expect(named.get('weight')).toEqual([4, 'database']);
    expect(named.get('priority')).toEqual([1, 'default']);
    expect(named.get('base_url')).toEqual([`${ref('HOST')}/v1/`, 'file']);
    expect(JSON.stringify(listed)).not.toContain('sk-secret-value');
  });
});

describe('prices', () => {
  it('a number is the price of one task', () => {
    expect(priced('imagegen-2: 0.05')).toEqual(new Map([['imagegen-2', { perTask: 50_000_000n }]]));
  });

  it('an object prices units, exact to the nano-unit where a float would not be', () => {
    expect(priced('imagegen-2: { image_output: 4503599627.370497001, text_input: 0.1 }').get('imagegen-2')).toEqual({
      units: new Map([
        ['image_output', 4_503_599_627_370_497_001n],
        ['text_input', 100_000_000n],
      ]),
    });
  });

  it('a map by resolution prices the kinds of a unit apart, in any letter case', () => {
    expect(priced('videoa: { per_second: { 480p: 0.30 } }').get('videoa')).toEqual({
      units: new Map([['per_second.480P', 300_000_000n]]),
    });
  });

  it('one number for a unit stands for all its kinds', () => {
    expect(priced('videoa: { per_second: 0.5 }').get('videoa')).toEqual({
      units: new Map([
        ['per_second.480P', 500_000_000n],
        ['per_second.1080P', 500_000_000n],
      ]),
    });
  });

  it('a key that has no units takes the price of a task, and nothing else', () => {
    expect(priced('pen@draw: 0.12').get('pen@draw')).toEqual({ perTask: 120_000_000n });
    expect(priceFaults('pen@draw: { per_task: 1 }')).toEqual([`9:prices.pen@draw: ${WRONG_PRICE}`]);
  });

  it('an unknown key of a model that has keys is answered with those of that model', () => {
    expect(priceFaults('pen@sing: 1')).toEqual([
      '9:prices.pen@sing: nothing is billed under this key: use one of pen@draw',
    ]);
  });

  it.each([
    [
      'imagegen-3: 1',
      '9:prices.imagegen-3: nothing is billed under this key: use one of imagegen-2, imageseed-4.0, pen, videoa',
    ],
    [
      'imagegen-2: { per_image: 1 }',
      '9:prices.imagegen-2.per_image: no such unit: use one of image_output, text_input',
    ],
    [
      'videoa: { per_second: { 720P: 1 } }',
      '9:prices.videoa.per_second.720P: no such unit: use one of per_second.1080P, per_second.480P',
    ],
    ['imagegen-2: {}', '9:prices.imagegen-2: must price at least one unit of image_output, text_input'],
    ['imagegen-2: -0.01', `9:prices.imagegen-2: ${WRONG_PRICE}`],
    ['imagegen-2: 0.0000000001', `9:prices.imagegen-2: ${WRONG_PRICE}`],
    ['imagegen-2: 1e3', `9:prices.imagegen-2: ${WRONG_PRICE}`],
    ['imagegen-2: .inf', `9:prices.imagegen-2: ${WRONG_PRICE}`],
    ['imagegen-2: "0.05"', `9:prices.imagegen-2: ${WRONG_PRICE}`],
    ['imagegen-2:', `9:prices.imagegen-2: ${WRONG_PRICE}`],
  ])('refuses %s', (yaml, expected) => {
    expect(priceFaults(yaml)).toEqual([expected]);
  });
});

describe('what a vendor charges', () => {
  const costs = (yaml: string) => load(`${CHANNEL}    ${yaml}\n`).channels[0]?.costs;

  it('is read by billing key as prices are, exact to the nano-unit, and is not known where the file does not say', () => {
    expect(load(CHANNEL).channels[0]).not.toHaveProperty('costs');
    expect(costs('costs: { imagegen-2: { image_output: 0.000000001, text_input: 0 } }')).toEqual({
      prices: new Map([
        [
          'imagegen-2',
          {
            units: new Map([
              ['image_output', 1n],
              ['text_input', 0n],
            ]),
          },
        ],
      ]),
      creditNano: undefined,
    });
    expect(costs('costs: { imagegen-2: 0.05 }')?.prices).toEqual(new Map([['imagegen-2', { perTask: 50_000_000n }]]));
    expect(costs('credit_cost: 0.0042')).toEqual({ prices: new Map(), creditNano: 4_200_000n });
  });

  it.each([
    [
      'costs: { imagegen-2: { image_output: 30 } }',
      '8:channels[0].costs.imagegen-2: must price every unit, 0 for what the vendor does not charge for: text_input is missing',
    ],
    [
      'costs: { imageseed-4.0: 1 }',
      '8:channels[0].costs.imageseed-4.0: nothing is billed under this key: use one of imagegen-2',
    ],
    ['costs: { imagegen-2: -1 }', `8:channels[0].costs.imagegen-2: ${WRONG_PRICE}`],
    ['credit_cost: 1e-3', `8:channels[0].credit_cost: ${WRONG_PRICE}`],
    ['vendor: Open AI', '8:channels[0].vendor: must be lower-case letters, digits, ".", "_" and "-", at most 64'],
  ])('refuses %s', (yaml, expected) => {
    expect(channelWith(yaml)).toEqual([expected]);
  });

  it('is forgotten, and the channel is not, where a stored one has costs that do not fit any more', () => {
    const { channelSources } = load(`${CHANNEL}    costs: { imagegen-2: 0.05 }\n`);
    const stored = channelSources.get('main') as JsonObject;
    const open = (source: JsonObject) => readSource(source, { ...options, checkOptions });
    expect(open(stored).costs?.prices.size).toBe(1);
    expect(open({ ...stored, costs: { gone: 1 } })).toMatchObject({ id: 'main', apiKey: 'sk-secret-value' });
    expect(open({ ...stored, costs: { gone: 1 } }).costs).toBeUndefined();
  });
});

describe('callbacks and media', () => {
  it('default to the schedule 10, 30, 60 seconds and to standard ports on public addresses', () => {
    expect(load(CHANNEL)).toMatchObject({
      webhooks: {
        retryDelaysSeconds: [10, 30, 60],
        timeoutSeconds: 10,
        allowPorts: [80, 443],
        allowPrivateCidrs: [],
        allowOrigins: [],
      },
      media: {
        allowPrivateCidrs: [],
        allowPorts: [80, 443],
        maxImageMb: 20,
        downloadTimeoutSeconds: 60,
        maxVideoMb: 512,
        marks: 'off',
        unmarked: 'deliver',
        fingerprints: 'off',
        fingerprintDays: 365,
      },
      uploads: {
        account: { storedBytes: 20e9, storedFiles: 20_000, dayBytes: 40e9, dayFiles: 40_000 },
        key: { storedBytes: 5e9, storedFiles: 5_000, dayBytes: 10e9, dayFiles: 10_000 },
      },
    });
  });

  it('are tried again after hours and days where the file says so, ten times and after a week at most', () => {
    const delays = [10, 30, 60, 3600, 21_600, 604_800];
    const withDelays = (list: number[]) => `${CHANNEL}webhooks: { retry_delays_seconds: [${list.join(', ')}] }\n`;
    expect(load(withDelays(delays)).webhooks.retryDelaysSeconds).toEqual(delays);
    expect(() => load(withDelays([...delays, 604_801]))).toThrow(/retry_delays_seconds.*604800/);
    expect(() => load(withDelays(Array.from({ length: 11 }, () => 10)))).toThrow(/at most 10 delays/);
    expect(() => load(withDelays([0]))).toThrow(/retry_delays_seconds/);
  });

  it('take ranges, ports and exact origins', () => {
    const { webhooks, media } = load(
      `${CHANNEL}webhooks: { retry_delays_seconds: [1], timeout_seconds: 2, allow_ports: [], allow_origins: ["http://127.0.0.1:9000"] }\nmedia: { allow_private_cidrs: [10.0.0.0/8, "fd00::/8"], allow_ports: [8443], max_image_mb: 5, download_timeout_seconds: 10, max_video_mb: 2048, marks: metadata, unmarked: fail, fingerprints: on, fingerprint_days: 90 }\n`,
    );
    expect(webhooks).toEqual({
      retryDelaysSeconds: [1],
      timeoutSeconds: 2,
      allowPorts: [],
      allowPrivateCidrs: [],
      allowOrigins: ['http://127.0.0.1:9000'],
    });
    expect(media).toEqual({
      allowPrivateCidrs: ['10.0.0.0/8', 'fd00::/8'],
      allowPorts: [8443],
      maxImageMb: 5,
      downloadTimeoutSeconds: 10,
      maxVideoMb: 2048,
      marks: 'metadata',
      unmarked: 'fail',
      fingerprints: 'on',
      fingerprintDays: 90,
    });
    expect(faults(`${CHANNEL}media: { max_image_mb: 51, download_timeout_seconds: 0 }\n`)).toEqual([
      '8:media.max_image_mb: must be a whole number from 1 to 50',
      '8:media.download_timeout_seconds: must be a whole number from 1 to 600',
    ]);
  });

  it.each([
    'http://127.0.0.1:9000/',
    'http://127.0.0.1:9000/hooks',
    '127.0.0.1:9000',
    'http://EXAMPLE.com',
    'http://a.example:80',
  ])('refuses %s, which is not an exact origin', (origin) => {
    expect(faults(`${CHANNEL}webhooks: { allow_origins: ["${origin}"] }\n`)).toEqual([
      '8:webhooks.allow_origins[0]: must be scheme, host and port only, as http://127.0.0.1:9000, without a path or a trailing slash',
    ]);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0/8', '10.0.0.0/8/8', 'example.com/8'])(
    'refuses %s, which is not an address range',
    (cidr) => {
      expect(faults(`${CHANNEL}media: { allow_private_cidrs: ["${cidr}"] }\n`)).toEqual([
        '8:media.allow_private_cidrs[0]: must be an address range, as 10.0.0.0/8 or fd00::/8',
      ]);
    },
  );
});

describe('storage', () => {
  it('is the file system by default', () => {
    expect(load(CHANNEL).storage).toEqual({ driver: 'filesystem' });
  });

  it('is S3 with both credentials from the environment', () => {
    const s3 = `driver: s3, endpoint: "https://s3.example", region: eu-1, bucket: results, access_key_id: "${ref('KEY')}", secret_access_key: "${ref('KEY')}", force_path_style: true`;
    expect(load(`${CHANNEL}storage: { ${s3} }\n`).storage).toEqual({
      driver: 's3',
      endpoint: 'https://s3.example',
      region: 'eu-1',
      bucket: 'results',
      accessKeyId: 'sk-secret-value',
      secretAccessKey: 'sk-secret-value',
      forcePathStyle: true,
      redirectDownloads: false,
      readFolder: false,
    });
  });

  it('is S3 under the identity of the process where the file names no keys', () => {
    const s3 = 'driver: s3, endpoint: "https://s3.example", region: eu-1, bucket: results';
    expect(load(`${CHANNEL}storage: { ${s3} }\n`).storage).toMatchObject({
      driver: 's3',
      accessKeyId: undefined,
      secretAccessKey: undefined,
    });
    expect(faults(`${CHANNEL}storage: { ${s3}, access_key_id: "${ref('KEY')}" }\n`)).toEqual([
      '8:storage.secret_access_key: is missing',
    ]);
  });

  it.each([
    ['{ driver: ftp }', '8:storage.driver: must be one of filesystem, s3'],
    ['{ driver: filesystem, bucket: results }', '8:storage.bucket: only goes with driver: s3'],
  ])('refuses %s', (yaml, expected) => {
    expect(faults(`${CHANNEL}storage: ${yaml}\n`)).toEqual([expected]);
  });
});

describe('the file', () => {
  it('reports every fault at once, each with its line and field', () => {
    expect(
      faults(
        `chanels: []\nchannels:\n  - id: A\n    protocol: x\n    base_url: y\n    api_key: z\n    models: 5\nmedia: []\n`,
      ),
    ).toEqual([
      '1:chanels: unknown key: use one of channels, models, protocols, prices, webhooks, media, uploads, storage',
      expect.stringMatching(/^3:channels\[0\]\.id: /),
      expect.stringMatching(/^4:channels\[0\]\.protocol: /),
      expect.stringMatching(/^5:channels\[0\]\.base_url: /),
      expect.stringMatching(/^6:channels\[0\]\.api_key: /),
      expect.stringMatching(/^7:channels\[0\]\.models: must be a map/),
      expect.stringMatching(/^8:media: must be a map/),
    ]);
  });

  it('must be YAML without keys given twice', () => {
    expect(faults('channels: [\n')[0]).toMatch(/^\d:: is not valid YAML: /);
    expect(faults('channels: []\nchannels: []\n')).toEqual([expect.stringMatching(/^2:: is not valid YAML: .*unique/)]);
  });

  it('must have channels, if only an empty list', () => {
    expect(faults('')).toEqual(['1:channels: is missing']);
    expect(load('channels: []').channels).toEqual([]);
  });

  it('may use YAML anchors, but not to go round in circles', () => {
    const shared = CHANNEL.replace('{ imagegen-2: gpt-image-2 }', '&served { imagegen-2: gpt-image-2 }');
    const twice = `${shared}  - { id: second, protocol: gemini, base_url: "${ref('HOST')}", api_key: "${ref('KEY')}", models: *served }\n`;
    expect(load(twice).channels[1]?.models).toEqual(new Map([['imagegen-2', 'gpt-image-2']]));
    expect(channelWith('options: &loop { again: *loop }')).toEqual([
      expect.stringMatching(/more than 200 uses of YAML aliases: write the values out$/),
    ]);
  });

  it('must exist and be of a plausible size', () => {
    expect(() => loadSettings(join(directory, 'none.yaml'), options)).toThrow(
      /none\.yaml: cannot be read \(ENOENT\): set MEDIAGATE_CONFIG to an existing file/,
    );
    expect(faults('#'.repeat(1_048_577))).toEqual([' is larger than 1048576 bytes: is it the right file?']);
  });
});

it('reads what callers may upload, part by part', () => {
  const { uploads } = load(`${CHANNEL}uploads: { per_key: { stored_mb: 100, daily_files: 0 } }\n`);
  expect(uploads.key).toEqual({ storedBytes: 100_000_000, storedFiles: 5_000, dayBytes: 10e9, dayFiles: 0 });
  expect(uploads.account.storedBytes).toBe(20e9);
  expect(faults(`${CHANNEL}uploads: { per_key: { stored_mb: -1 } }\n`)).toEqual([
    expect.stringContaining('uploads.per_key.stored_mb: must be a whole number'),
  ]);
});

describe('the state of a channel', () => {
  const text = (...states: string[]) =>
    `channels:\n${states
      .map(
        (state, index) =>
          `  - { id: c${index}, protocol: openai-images, base_url: "https://v.example", api_key: "${ref(index === 2 ? 'GONE' : 'KEY')}", models: { imagegen-2: m }, state: ${state} }\n`,
      )
      .join('')}`;

  it('says whether it takes tasks: one that drains or is disabled takes none, but what it has accepted can be asked for', () => {
    const { channels, closedChannels } = load(text('enabled', 'draining'));
    expect([channels.map(({ id }) => id), closedChannels.map(({ id }) => id)]).toEqual([['c0'], ['c1']]);
    expect(load(text('enabled', 'disabled')).closedChannels).toMatchObject([{ id: 'c1', apiKey: 'sk-secret-value' }]);
  });

  it('lets the key of a disabled channel be gone, and of no other', () => {
    expect(load(text('enabled', 'draining', 'disabled')).closedChannels.map(({ id }) => id)).toEqual(['c1']);
    expect(faults(text('enabled', 'enabled', 'draining'))).toEqual([expect.stringContaining('GONE is not set')]);
    expect(faults(text('off'))).toEqual([expect.stringContaining('must be one of enabled, draining, disabled')]);
  });

  it('is kept as it is written, without a secret, so that the channel can be read again once it is in the file no more', () => {
    const { channels, channelSources } = load(CHANNEL);
    const source = channelSources.get('main') ?? {};
    expect(JSON.stringify(source)).not.toContain('sk-secret-value');
    expect(source).toMatchObject({ api_key: ref('KEY'), base_url: `${ref('HOST')}/v1/` });
    const stored = JSON.parse(JSON.stringify({ ...source, state: 'disabled' }));
    expect(readSource(stored, { ...options, checkOptions })).toEqual(channels[0]);
    expect(
      readSource({ ...stored, models: { retired: 'm' } }, { ...options, checkOptions }).models.get('retired'),
    ).toBe('m');
    expect(() => readSource(stored, { ...options, checkOptions, env: {} })).toThrow('KEY is not set');
  });
});

it('says which state of the file it has read, as sha256sum names it', () => {
  // printf 'channels: []\n' | sha256sum
  expect(load('channels: []\n').digest).toBe('b70e30c0c70c');
  expect(load('channels: []\n# another\n').digest).not.toBe('b70e30c0c70c');
});
