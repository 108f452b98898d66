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
