import { audit } from '@mediagate/billing';
import type { Nano } from '@mediagate/contracts';
import { until } from '@mediagate/testkit';
import { type Caller, startTestApi, type TestApi, type TestApiOptions } from './test-api';
import { answer, openTextVendor, type Script, says, type TextVendor } from './text-upstream';

export const BODY = { contents: [{ role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] }] };
export const FLASH = '/v1beta/models/text-2.5-flash';
/** 7 tokens of prompt, and the most that the model makes, at the default prices of text-2.5-flash. */
export const RESERVED: Nano = 7n * 300n + 65_536n * 2500n;
/** 5 tokens of prompt and 9 of output. */
export const COST: Nano = 5n * 300n + 9n * 2500n;
/** The same at what the first vendor charges. */
export const VENDOR_COST: Nano = 5n * 100n + 9n * 1000n;
const VENDOR_RATES = [
  ['text_input', 100_000_000n],
  ['cached_text_input', 0n],
  ['text_output', 1_000_000_000n],
] as const;
const UNIT = 1_000_000_000n;

export interface TextWorld {
  api: TestApi;
  vendor: TextVendor;
  /** The second vendor. */
  other: TextVendor;
  /** One more process over the same books and vendors; to be stopped before the world is closed. */
  another(): Promise<TestApi>;
  /** Makes a caller with 1000 currency units. */
  caller(): Promise<Caller>;
  /** Resolves with the task once it has ended. */
  // biome-ignore lint/suspicious/noExplicitAny: a test compares what it finds
  ended(taskId: string | null, caller: Caller): Promise<any>;
  /** The only task of an account, once it has ended; for callers who never got its id. */
  onlyTask(caller: Caller): Promise<string>;
  /** Resolves once every task has ended: ends are written after their answers. */
  quiet(): Promise<void>;
  /** Nano-units spent of the 1000 currency units. */
  spent(caller: Caller): Promise<{ held: Nano; settled: Nano }>;
  attempts(taskId: string | null): Promise<object[]>;
  close(): Promise<void>;
}

export interface TextWorldOptions extends TestApiOptions {
  /** Limit of the channel to each vendor. */
  maxConcurrency?: number;
  /** Further models of the channel to the first vendor: public ids to the vendor's names. */
  alsoServes?: Record<string, string>;
  /** The first vendor's usual behaviour; default: it answers. */
  script?: Script;
}

/** The application in front of two vendors of the same model, the first of which is asked first. */
export async function openTextWorld({
  maxConcurrency,
  alsoServes = {},
  script = says(answer('So that they are told apart.')),
  ...options
}: TextWorldOptions = {}): Promise<TextWorld> {
  const vendor = await openTextVendor(script);
  const other = await openTextVendor(says(answer('From the other one.')));
  const prices = new Map([['text-2.5-flash', { units: new Map(VENDOR_RATES) }]]);
  const models = new Map([['text-2.5-flash', 'vendor-flash'], ...Object.entries(alsoServes)]);
  const first = vendor.channel({ models, maxConcurrency, costs: { prices, creditNano: undefined } });
  const second = other.channel({ id: 'text-second', priority: 2, maxConcurrency });
  const settings = { textChannels: [first, second], ...options };
  const api = await startTestApi(settings);

  const ended = (taskId: string | null, { key }: Caller) =>
    until(async () => {
      const { data } = (await api.get(`/v1/tasks/${taskId}`, { key })).body;
      return ['completed', 'failed'].includes(data?.status) && data;
    }, `${taskId} has ended`);

  return {
    api,
    vendor,
    other,
    ended,
    another: () => startTestApi({ ...settings, databaseUrl: api.databaseUrl }),
    caller: () => api.createCaller({ balance: '1000' }),
    async quiet() {
      await until(
        async () => (await api.database.task.count({ where: { completedAt: null } })) === 0,
        'all have ended',
      );
    },
    onlyTask: ({ accountId }) =>
      until(async () => {
        const [task, ...others] = await api.database.task.findMany({ where: { accountId } });
        return others.length === 0 && task?.completedAt ? task.id : undefined;
      }, 'the only task has ended'),
    async spent({ accountId }) {
      const account = await api.database.account.findUniqueOrThrow({ where: { id: accountId } });
      expect(account.toppedUpNano).toBe(1000n * UNIT);
      return { held: account.heldNano, settled: account.settledNano };
    },
    attempts: async (taskId) =>
      api.database.taskAttempt.findMany({ where: { taskId: String(taskId) }, orderBy: { number: 'asc' } }),
    async close() {
      try {
        expect(await audit(api.database)).toEqual([]);
      } finally {
        await api.stop();
        await vendor.close();
        await other.close();
      }
    },
  };
}
