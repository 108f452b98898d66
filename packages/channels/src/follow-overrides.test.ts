import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingStep } from '@mediagate/database';
import { followOverrides, SETTINGS_KNOWN_MS } from './follow-overrides';
import type { Overrides } from './setting-schedule';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const weight = (value: number, effectiveInMs = -1): SettingStep => ({
  id: String(value),
  section: 'channels',
  name: 'a',
  field: 'weight',
  value,
  effectiveInMs,
  effectiveAt: '',
  setBy: 'cli:ada',
  reason: null,
});

/** A process, and a database whose state a test sets. */
async function follow() {
  let state: { version: bigint; steps: SettingStep[] } | undefined = { version: 0n, steps: [] };
  const reads = jest.fn();
  const away = async () => {
    if (state === undefined) throw new Error('away');
    return state;
  };
  const database = {
    followChannels: async () => [{ version: (await away()).version, pacedChannels: [], isSlotAwaited: false }],
    readSettings: async () => {
      reads();
      return [{ ...(await away()), secrets: [] }];
    },
  };
  const applied: Overrides[] = [];
  const followed = {
    channels: { openBreakers: () => [] },
    inForce: () => ({ channelSources: new Map() }),
    override: (overrides: Overrides) => applied.push(overrides),
  };
  const scope = { logger: { info: jest.fn(), warn: jest.fn() }, defer: jest.fn() };
  const overrides = await followOverrides(scope, { database: database as never, followed: followed as never });
  const weights = () => applied.map(({ channels }) => channels.get('a')?.['weight']);
  return {
    ...overrides,
    reads,
    weights,
    scope,
    set: (next: typeof state) => {
      state = next;
    },
  };
}

it('goes by a look for as long as the database lets no cost take effect that was written after it', () => {
  const sql = readFileSync(join(__dirname, '../../../prisma/functions/refuse_late_setting.sql'), 'utf8');
  expect(sql).toContain(`NEW.effective_at < clock_timestamp() + interval '${SETTINGS_KNOWN_MS / 1000} seconds'`);
});

it('reads what was set when the version has grown, and nothing while it has not', async () => {
  const { set, weights, reads, version } = await follow();
  await jest.advanceTimersByTimeAsync(5_000);
  expect([reads.mock.calls.length, version()]).toEqual([1, 0n]);
  set({ version: 1n, steps: [weight(5)] });
  await jest.advanceTimersByTimeAsync(1_000);
  expect([reads.mock.calls.length, version(), weights()]).toEqual([2, 1n, [undefined, 5]]);
  set({ version: 0n, steps: [] });
  await jest.advanceTimersByTimeAsync(1_000);
  expect([version(), weights()]).toEqual([1n, [undefined, 5]]);
});

it('counts what was set for a moment from then on, also between two looks', async () => {
  const { set, weights, areKnown } = await follow();
  set({ version: 1n, steps: [weight(5, 1_400)] });
  await jest.advanceTimersByTimeAsync(1_000);
  await jest.advanceTimersByTimeAsync(900);
  expect(weights()).toEqual([undefined]);
  await jest.advanceTimersByTimeAsync(600);
  areKnown();
  expect(weights()).toEqual([undefined, 5]);
});

it('knows nothing any more before a cost that it has not heard of can take effect, and asks again where it is to know', async () => {
  const { set, ensureKnown, areKnown, scope } = await follow();
  set(undefined);
  await jest.advanceTimersByTimeAsync(SETTINGS_KNOWN_MS - 1);
  expect([areKnown(), scope.logger.warn.mock.calls.length]).toEqual([true, 1]);
  await jest.advanceTimersByTimeAsync(1);
  expect(areKnown()).toBe(false);
  await expect(ensureKnown()).rejects.toThrow('away');
  set({ version: 1n, steps: [] });
  await ensureKnown();
  expect(areKnown()).toBe(true);
});
