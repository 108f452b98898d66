import type { FinishRequest, Submission, SubmitOutcome } from '@mediagate/billing';
import { createPriceBook, loadCatalogue } from '@mediagate/catalog';
import { GatewayError, message, newTaskId } from '@mediagate/contracts';
import { DatabaseConflictError, DatabaseUnavailableError } from '@mediagate/database';
import { createLogger } from '@mediagate/host';
import { Registry } from 'prom-client';
import { createOfferedModels } from '../../offered-models';
import { type GenerateDeps, type GenerateRequest, generate } from './generate';
import { Settlements } from './settlements';

const prices = { book: () => createPriceBook(), requireKnown: () => undefined };
const models = createOfferedModels(loadCatalogue(), { channels: [], prices, protocols: new Map() }, { isTest: false });
const offered = models.find('text-2.5-flash');
const json = { contents: [{ role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] }] };
const UNWATCHED = { settled: () => undefined, stop: () => undefined, endNow: jest.fn() };
/** A drain that waits for what does not end lasts for longer than a test may take. */
const DRAIN_MS = 3_600_000;

/** Nothing of the call is looked at before it is booked but its headers and caller. */
const call = {
  writer: { nameTask: () => undefined },
  caller: { id: 'key', accountId: 'account' },
  requestId: 'request',
} as unknown as GenerateRequest;

/** A generation that does not get beyond its booking. */
function book(booking: () => Promise<SubmitOutcome>) {
  const written: FinishRequest[] = [];
  const settlements = new Settlements({
    finish: async (end) => {
      written.push(end);
      return { won: true, overrunNano: 0n };
    },
    submit: async () => ({ kind: 'key_unknown' }),
    readTask: async () => undefined,
    metrics: new Registry(),
    logger: createLogger({ service: 'api', level: 'silent' }),
  });
  const asked: string[] = [];
  const freed: object[] = [];
  const deps = {
    settlements,
    slots: { freed: (of: object) => freed.push(of) },
    lingerMs: 0,
    models: () => models,
    submit: ({ taskId }: Submission) => {
      asked.push(taskId);
      return booking();
    },
  } as unknown as GenerateDeps;
  if (!offered) throw new Error('the model must be in the catalogue');
  const request = {
    offered,
    method: 'generateContent',
    body: { bytes: () => Promise.resolve(Buffer.from('{}')), json },
    headers: { asText: '' },
    idempotency: undefined,
  } as const;
  const answered = generate({ ...call, ...request }, deps);
  return { answered, settlements, written, asked, freed };
}

const fails = (error: Error) => () => Promise.reject(error);
const away = () => new DatabaseUnavailableError(new Error('the connection broke'));

describe('a booking', () => {
  it('is waited for by a drain that finds it under way', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const underWay = new Promise<SubmitOutcome>((_resolve, reject) => {
      refuse = reject;
    });
    const { answered, settlements } = book(() => underWay);
    let isDrained = false;
    const drained = settlements.drain(DRAIN_MS).then(() => {
      isDrained = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained).toBe(false);
    refuse(new GatewayError('insufficient_balance', message('account_insufficient')));
    await expect(answered).rejects.toThrow('The balance is insufficient');
    await drained;
  });

  it.each<[string, () => Promise<SubmitOutcome>]>([
    ['refused', fails(new GatewayError('insufficient_balance', message('account_insufficient')))],
    ['a repetition', async () => ({ kind: 'replayed', taskId: newTaskId(), warnings: [] })],
    ['another request under the same key', async () => ({ kind: 'conflict' })],
    ['rolled back', fails(new DatabaseConflictError(new Error('deadlock')))],
  ])('that is %s writes nothing, frees no slot, and nobody waits for it', async (_what, booking) => {
    const { answered, settlements, written, freed } = book(booking);
    await expect(answered).rejects.toThrow();
    await settlements.drain(DRAIN_MS);
    expect([written, freed]).toEqual([[], []]);
  });

  it('of which nobody knows whether it was written is refunded', async () => {
    const { answered, settlements, written, asked } = book(fails(away()));
    await expect(answered).rejects.toThrow(DatabaseUnavailableError);
    await settlements.drain(DRAIN_MS);
    expect(written).toMatchObject([{ taskId: asked[0], fence: 0, outcome: { kind: 'failed' } }]);
  });

  it('of which nobody knows is left to its lease where very many tasks are in flight', async () => {
    let lose: (error: Error) => void = () => undefined;
    const underWay = new Promise<SubmitOutcome>((_resolve, reject) => {
      lose = reject;
    });
    const { answered, settlements, written } = book(() => underWay);
    const others = Array.from({ length: 1001 }, () => settlements.open(newTaskId()));
    for (const other of others) other.booked(UNWATCHED);
    lose(away());
    await expect(answered).rejects.toThrow(DatabaseUnavailableError);
    for (const other of others) other.end(undefined);
    await settlements.drain(DRAIN_MS);
    expect(written).toEqual([]);
  });
});
