import type { Channel, Settings } from '@mediagate/settings';
import { followSettings } from './follow-settings';

const channel = (id: string): Channel => ({
  id,
  protocol: 'p',
  baseUrl: 'https://vendor.example',
  apiKey: 'k',
  models: new Map([['m', 'vendor-m']]),
  priority: 1,
  weight: 1,
  maxConcurrency: undefined,
  options: {},
  isTest: false,
});

/** A file with the content that a test gives it, and the process that reads it. */
function open(...files: (() => Partial<Settings>)[]) {
  const logged: unknown[] = [];
  const reloads: (() => unknown)[] = [];
  const read = () => ({ settings: { closedChannels: [], ...files.shift()?.() } as unknown as Settings });
  const followed = followSettings(
    {
      logger: { info: (event, fields) => logged.push([event, fields]) },
      onReload: (_name, reload) => reloads.push(reload),
    },
    read,
  );
  return { ...followed, logged, reload: () => reloads[0]?.() };
}

it('follows the file to its new channels, and says which state of it was read', () => {
  const { channels, current, logged, reload } = open(
    () => ({ digest: 'one', channels: [channel('a')] }),
    () => ({ digest: 'two', channels: [channel('b')], closedChannels: [channel('a')] }),
  );
  expect(logged).toEqual([['settings.read', { digest: 'one' }]]);
  expect(reload()).toEqual({ digest: 'two' });
  expect(current().settings.digest).toBe('two');
  expect(channels.serving({ model: 'm', isTest: false }).map(({ id }) => id)).toEqual(['b']);
  expect(channels.find('a')?.id).toBe('a');
});

it('changes nothing where the file cannot be read any more', () => {
  const { channels, current, reload } = open(
    () => ({ digest: 'one', channels: [channel('a')] }),
    () => {
      throw new Error('a fault');
    },
  );
  expect(reload).toThrow('a fault');
  expect(current().settings.digest).toBe('one');
  expect(channels.serving({ model: 'm', isTest: false })).toHaveLength(1);
});

it('keeps what operators have set over the file, also after the file was read again', () => {
  const file = () => ({ digest: 'one', channels: [channel('a'), channel('b')] });
  const { channels, openChannels, override, reload } = open(file, file);
  const serving = () => channels.serving({ model: 'm', isTest: false }).map(({ id, weight }) => [id, weight]);
  override([
    { channelId: 'a', state: 'draining', weight: null },
    { channelId: 'b', state: null, weight: 7 },
    { channelId: 'gone', state: 'disabled', weight: null },
  ]);
  expect(serving()).toEqual([['b', 7]]);
  expect(openChannels().map(({ id }) => id)).toEqual(['b']);
  expect(channels.find('a')?.id).toBe('a');
  reload();
  expect(serving()).toEqual([['b', 7]]);
  override([]);
  expect(serving()).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
});

it('does not open a channel again that the file has closed', () => {
  const { channels, override } = open(() => ({ digest: 'one', channels: [], closedChannels: [channel('a')] }));
  override([{ channelId: 'a', state: null, weight: 5 }]);
  expect(channels.serving({ model: 'm', isTest: false })).toEqual([]);
  expect(channels.find('a')?.id).toBe('a');
});

it('makes nothing anew while nothing has changed', () => {
  const { openChannels, override } = open(() => ({ digest: 'one', channels: [channel('a')] }));
  const overrides = () => [{ channelId: 'a', state: null, weight: 3 }];
  override(overrides());
  const before = openChannels();
  override(overrides());
  expect(openChannels()).toBe(before);
});
