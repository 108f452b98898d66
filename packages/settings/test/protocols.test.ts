import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdapters, createHttpClient } from '@mediagate/upstreams';
import { createPartReader, createSettingsReader, openSettings, protocolsOf, SettingsError } from '../src';

const directory = mkdtempSync(join(tmpdir(), 'mediagate-protocols-'));
afterAll(() => rmSync(directory, { recursive: true }));

const env = { KEY: 'a secret' };
const channel = (protocol: string, options = '{}') => `channels:
  - id: hosted
    protocol: ${protocol}
    base_url: https://vendor.example
    api_key: \${KEY}
    models: { imagegen-2: drawer }
    options: ${options}
`;

/** A package that answers with the call of a kit, as far as a test says no other. */
function writePackage(name: string, { contract = '1', more = '' } = {}): void {
  mkdirSync(join(directory, name));
  writeFileSync(
    join(directory, name, 'index.js'),
    `export const contract = ${contract};
export default ({ kit }) => ({
  protocol: '${name}',
  families: ['image'],
  afterLostAnswer: 'never',
  checkOptions: (options) => kit.checkAgainst({ pace: { kind: 'integer', min: 1, max: 9 } }, options),
  start: async () => kit.refused({ code: 'operator', detail: 'asked' }),
  ${more}
});
`,
  );
}

function load(text: string) {
  const file = join(directory, 'mediagate.yaml');
  writeFileSync(file, text);
  return openSettings(file, env);
}

/** As `line:field: message`. */
function faults(text: string, read = () => load(text)): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof SettingsError)
      return error.faults.map((line) => line.replace(`${directory}/mediagate.yaml:`, ''));
    throw error;
  }
}

it('a package that the file names by a path from its own folder speaks the protocol of a channel', async () => {
  writePackage('sketcher');
  const { settings } = load(`protocols: [./sketcher]\n${channel('sketcher', '{ pace: 3 }')}`);
  expect(settings).toMatchObject({
    packages: { names: ['./sketcher'] },
    channels: [{ protocol: 'sketcher', options: { pace: 3 } }],
  });
  const source = settings.channelSources.get('hosted') ?? {};
  expect(createPartReader(env).channel(source)).toMatchObject({ kind: 'faulty' });
  const reader = createPartReader(env, { inFile: () => settings });
  expect(reader.channel(source)).toMatchObject({ kind: 'open' });
  const http = createHttpClient();
  const adapter = createAdapters({ http }, protocolsOf(settings)).get('sketcher');
  const endpoint = {
    channelId: 'hosted',
    baseUrl: 'https://vendor.example',
    apiKey: 'k',
    model: 'drawer',
    options: {},
  };
  const start = { attemptId: 'a', request: {}, media: [] };
  expect(await adapter?.start(start, { endpoint, signal: new AbortController().signal })).toMatchObject({
    kind: 'refused',
    fault: { detail: 'asked' },
  });
  await http.close();
});

it('its options are judged by itself, and its families are those that it says', () => {
  writePackage('picky');
  expect(faults(`protocols: [./picky]\n${channel('picky', '{ pace: 10 }')}`)).toEqual([
    '8:channels[0].options: option "pace" must be a whole number from 1 to 9',
  ]);
  const video = channel('picky').replace('imagegen-2', 'videob-2.0');
  expect(faults(`protocols: [./picky]\n${video}`)[0]).toMatch(/^7:channels\[0\]\.models\.videob-2\.0: /);
});

it.each([
  [
    'of another contract',
    'later',
    { contract: '2' },
    'is written for contract 2: this version of mediagate has contract 1',
  ],
  ['without a contract', 'silent', { contract: 'undefined' }, 'does not say its contract'],
  [
    'that throws',
    'broken',
    { more: '...(() => { throw new Error("no licence"); })(),' },
    'cannot be loaded: no licence',
  ],
  ['without a way to start', 'idle', { more: 'start: undefined,' }, 'has no function start'],
  ['without a judge of its options', 'lax', { more: 'checkOptions: undefined,' }, 'has no function checkOptions'],
  ['of a family that there is not', 'odd', { more: "families: ['smell']," }, 'families must be some of '],
  ['of texts, which no worker makes', 'chatty', { more: "families: ['text']," }, 'families must be some of '],
  ['of a word that no skeleton can have', '2-fast', {}, 'has no protocol of at most 64 lower-case letters'],
  [
    'of a word that is taken',
    'taken',
    { more: "protocol: 'gemini'," },
    'has the protocol gemini, which gemini/adapter.ts has',
  ],
])('a package %s is a fault of the file, by line and field', (_, name, parts, message) => {
  writePackage(name, parts);
  const found = faults(`protocols:\n  - ./${name}\n${channel('gemini')}`);
  expect(found).toEqual([expect.stringContaining(`2:protocols[0]: ${message}`)]);
});

it('a package that is not there is one, too', () => {
  const found = faults(`protocols: ['@acme/none']\n${channel('gemini')}`);
  expect(found).toEqual([
    expect.stringMatching(/^1:protocols\[0\]: cannot be loaded: Cannot find module '@acme\/none'/),
  ]);
});

it('a package is known to the file that names it alone, whatever was read before', () => {
  writePackage('apart');
  load(`protocols: [./apart]\n${channel('apart')}`);
  expect(faults(channel('apart'))[0]).toMatch(/^3:channels\[0\]\.protocol: no such protocol/);
});

it('a process that reads the file again loads no other package, and goes on with those that it has', () => {
  writePackage('steady');
  writePackage('late', { more: "...(() => { throw new Error('it was run'); })()," });
  const file = join(directory, 'again.yaml');
  const read = createSettingsReader(file, env);
  const written = (text: string) => () => {
    writeFileSync(file, text);
    return read();
  };
  const first = written(`protocols: [./steady]\n${channel('steady')}`)().settings;
  const restart = 'protocols: packages are loaded when a process starts: restart the services';
  for (const names of ['[./steady, ./late]', '[./late]', '[]']) {
    expect(faults('', written(`protocols: ${names}\n${channel('steady')}`))).toEqual([
      `${directory}/again.yaml:1:${restart}`,
    ]);
  }
  const { settings } = written(`protocols: [./steady]\n${channel('steady', '{ pace: 2 }')}`)();
  expect(protocolsOf(settings)).toBe(protocolsOf(first));
  expect(faults('', written(channel('gemini')))).toEqual([expect.stringContaining(restart)]);
});
