import type { JsonObject } from '@mediagate/contracts';
import type { Channel, OpenedChannel, Settings } from '@mediagate/settings';
import { testChannel } from '../test/test-channel';
import { followSettings } from './follow-settings';
import type { Overrides } from './setting-schedule';

/** As the file names a secret. */
const ref = (name: string) => `\${${name}}`;
const WEBHOOKS = {
  retryDelaysSeconds: [10],
  timeoutSeconds: 10,
  allowPorts: [],
  allowPrivateCidrs: [],
  allowOrigins: [],
};

/** Whatever a file says of channels, as far as these tests set it. */
function openChannel(
  { id, state, weight, models, api_key: key }: JsonObject,
  ofDatabase?: (name: string) => unknown,
): OpenedChannel {
  if (models === 'none') return { kind: 'faulty', faults: [{ field: 'models', message: 'must be a map' }] };
  const apiKey = String(key).startsWith(ref('secret:').slice(0, -1)) ? String(ofDatabase?.('s')) : 'k';
  const opened = { ...testChannel(String(id)), weight: Number(weight ?? 1), apiKey };
  return { kind: (state ?? 'enabled') === 'enabled' ? 'open' : 'closed', channel: opened };
}

const sourceOf = ({ id }: Channel): [string, JsonObject] => [id, { id, protocol: 'p', api_key: ref('A_KEY') }];

interface Content {
  digest: string;
  channels: Channel[];
  closedChannels?: Channel[];
}

/** A file with the content that a test gives it, and the process that reads it. */
function open(...files: (() => Content)[]) {
  const logged: unknown[] = [];
  const reloads: (() => unknown)[] = [];
  const read = () => {
    const file = files.shift();
    if (file === undefined) throw new Error('the test has no further file');
    const { closedChannels = [], ...content } = file();
    const closed = closedChannels.map((each) => [each.id, { id: each.id, protocol: 'p', state: 'disabled' }] as const);
    const channelSources = new Map([...content.channels.map(sourceOf), ...closed]);
    return { settings: { ...content, closedChannels, channelSources, webhooks: WEBHOOKS } as unknown as Settings };
  };
  const log = (event: string, fields: unknown) => logged.push([event, fields]);
  const followed = followSettings(
    { logger: { info: log, error: log }, onReload: (_name, reload) => reloads.push(reload) },
    {
      read,
      reader: {
        channel: openChannel,
        webhooks: () => ({ webhooks: { ...WEBHOOKS, retryDelaysSeconds: [1] } }),
        allowOrigins: new Set(['http://vendor.internal:9000', 'http://10.0.0.8:9000']),
      },
    },
  );
  return { ...followed, logged, reload: () => reloads[0]?.() };
}

const set = (channels: Record<string, JsonObject>, webhooks: JsonObject = {}): Overrides => ({
  channels: new Map(Object.entries(channels)),
  webhooks,
});

it('follows the file to its new channels, and says which state of it was read', () => {
  const { channels, current, logged, reload } = open(
    () => ({ digest: 'one', channels: [testChannel('a')] }),
    () => ({ digest: 'two', channels: [testChannel('b')], closedChannels: [testChannel('a')] }),
  );
  expect(logged).toEqual([['settings.read', { digest: 'one' }]]);
  expect(reload()).toEqual({ digest: 'two' });
  expect(current().settings.digest).toBe('two');
  expect(channels.serving({ model: 'a-model', isTest: false }).map(({ id }) => id)).toEqual(['b']);
  expect(channels.find('a')?.id).toBe('a');
});

it('changes nothing where the file cannot be read any more', () => {
  const { channels, current, reload } = open(
    () => ({ digest: 'one', channels: [testChannel('a')] }),
    () => {
      throw new Error('a fault');
    },
  );
  expect(reload).toThrow('a fault');
  expect(current().settings.digest).toBe('one');
  expect(channels.serving({ model: 'a-model', isTest: false })).toHaveLength(1);
});

it('keeps what operators have set over the file, also after the file was read again', () => {
  const file = () => ({ digest: 'one', channels: [testChannel('a'), testChannel('b')] });
  const { channels, inForce, override, reload } = open(file, file);
  const serving = () => channels.serving({ model: 'a-model', isTest: false }).map(({ id, weight }) => [id, weight]);
  override(set({ a: { state: 'draining' }, b: { weight: 7 }, gone: { state: 'disabled' } }));
  expect(serving()).toEqual([['b', 7]]);
  expect(inForce().channels.map(({ id }) => id)).toEqual(['b']);
  expect(inForce().pausedChannels.map(({ id }) => id)).toEqual(['a']);
  expect(channels.paused({ model: 'a-model', isTest: false }).map(({ id }) => id)).toEqual(['a']);
  expect(channels.find('a')?.id).toBe('a');
  reload();
  expect(serving()).toEqual([['b', 7]]);
  override(set({}));
  expect(serving()).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
});

it('has a channel that operators alone know, and opens one that the file has closed', () => {
  const { channels, inForce, override } = open(() => ({
    digest: 'one',
    channels: [],
    closedChannels: [testChannel('a')],
  }));
  override(set({ a: { weight: 5 }, own: { protocol: 'p' } }));
  const serving = () => channels.serving({ model: 'a-model', isTest: false }).map(({ id }) => id);
  expect(serving()).toEqual(['own']);
  expect([...inForce().channelSources.keys()]).toEqual(['a', 'own']);
  override(set({ a: { state: 'enabled' } }));
  expect(serving()).toEqual(['a']);
});

it('gives no tasks to a channel whose overrides do not fit the file, says why, and leaves the others as they are', () => {
  const { channels, logged, override } = open(() => ({
    digest: 'one',
    channels: [testChannel('a'), testChannel('b')],
  }));
  override(set({ a: { models: 'none' } }));
  expect(channels.serving({ model: 'a-model', isTest: false }).map(({ id }) => id)).toEqual(['b']);
  expect(channels.find('a')).toBeUndefined();
  expect(logged.at(-1)).toEqual(['settings.override_refused', { reason: 'a', detail: 'models: must be a map' }]);
});

it('opens a channel with a key of the database once it is known, and with a new one as soon as that is', () => {
  const { channels, override } = open(() => ({ digest: 'one', channels: [] }));
  const own = set({ own: { protocol: 'p', api_key: ref('secret:s') } });
  override(own);
  expect(channels.find('own')).toBeUndefined();
  override(own, () => 'first');
  expect(channels.find('own')?.apiKey).toBe('first');
  override(own, () => 'second');
  expect(channels.find('own')?.apiKey).toBe('second');
});

it('opens no channel whose overrides name a variable or a file: what a process holds goes to nobody by them', () => {
  const { channels, inForce, override } = open(() => ({ digest: 'one', channels: [testChannel('a')] }));
  const faultsOf = (fields: JsonObject) => {
    override(set({ a: fields }));
    return [channels.find('a')?.id, inForce().faulty.flatMap(({ faults }) => faults.map(({ field }) => field))];
  };
  for (const key of ['OTHER_KEY', 'file:/run/key', `A_KEY}x\${OTHER_KEY`])
    expect(faultsOf({ api_key: ref(key) })).toEqual([undefined, ['api_key']]);
  expect(faultsOf({ base_url: `https://${ref('PEPPER')}.example` })).toEqual([undefined, ['base_url']]);
  expect(faultsOf({ options: { deep: [ref('PEPPER')] } })).toEqual([undefined, ['options']]);
  expect(faultsOf({ api_key: ref('A_KEY') })).toEqual(['a', []]);
});

it.each([
  'http://127.0.0.1:6379',
  'http://localhost:6379',
  'http://[::1]:6379',
  'http://10.1.2.3',
  'http://169.254.169.254/latest',
  'http://[fd00::1]',
  'http://0x7f.1',
  'http://vendor.example/v1',
  'http://vendor.example:443/v1',
])('opens no channel that operators alone have led to %s', (url) => {
  const { channels, inForce, override } = open(() => ({ digest: 'one', channels: [testChannel('a')] }));
  override(set({ a: { base_url: url } }));
  expect([channels.find('a'), inForce().faulty]).toMatchObject([undefined, [{ faults: [{ field: 'base_url' }] }]]);
});

it('connects to public addresses alone where operators have led a channel, but for what the file or the environment names', () => {
  const { override, lookupFor } = open(() => ({ digest: 'one', channels: [testChannel('a')] }));
  const elsewhere = { base_url: 'https://elsewhere.example/v1' };
  override(
    set({ a: elsewhere, b: { base_url: 'http://vendor.internal:9000' }, c: { base_url: 'http://10.0.0.8:9000' } }),
  );
  const isJudged = (origin: string) => lookupFor(origin) !== undefined;
  expect(isJudged('https://elsewhere.example')).toBe(true);
  for (const origin of ['http://vendor.internal:9000', 'http://10.0.0.8:9000', 'https://named-by-nobody.example'])
    expect(isJudged(origin)).toBe(false);
  override(set({}));
  expect(isJudged('https://elsewhere.example')).toBe(false);
});

it('connects to public addresses alone where a channel led by operators has left jobs, unless the file names it by now', () => {
  const named = { ...testChannel('a'), baseUrl: 'https://elsewhere.example/v1' };
  const { override, lookupFor, rememberOrigin, reload } = open(
    () => ({ digest: 'one', channels: [testChannel('a')] }),
    () => ({ digest: 'two', channels: [named] }),
  );
  override(set({}));
  for (const origin of ['https://elsewhere.example', 'http://10.0.0.8:9000']) rememberOrigin(origin);
  expect(lookupFor('https://elsewhere.example')).toBeDefined();
  expect(lookupFor('http://10.0.0.8:9000')).toBeUndefined();
  reload();
  expect(lookupFor('https://elsewhere.example')).toBeUndefined();
});

it('sends callbacks by the schedule that operators have set, and keeps it while something else changes', () => {
  const { inForce, override } = open(() => ({ digest: 'one', channels: [testChannel('a')] }));
  override(set({}, { retry_delays_seconds: [1] }));
  const { webhooks } = inForce();
  expect(webhooks).toEqual({ ...WEBHOOKS, retryDelaysSeconds: [1] });
  override(set({ a: { weight: 2 } }, { retry_delays_seconds: [1] }));
  expect(inForce().webhooks).toBe(webhooks);
});
