import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CallerFiles } from '../../../http/body/caller-files';
import type { Exchange } from '../../../http/exchange';
import { RequestScope } from '../../../http/request-scope';
import { readTextBody } from './text-body';

const NO_DISK = {} as ConstructorParameters<typeof CallerFiles>[0];
const MEMORY = { open: () => undefined, take: () => undefined, close: () => undefined, pauseAfter: () => 0 };

const exchangeOf = (bytes: Buffer): Exchange =>
  ({
    request: Object.assign(Readable.from([bytes]), { headers: { 'content-type': 'application/json' } }),
    memory: MEMORY,
    files: new CallerFiles(NO_DISK, MEMORY),
    pace: { periodMs: 10_000 },
    scope: new RequestScope('request'),
  }) as unknown as Exchange;

const bodyOf = (bytes: number) => Buffer.from(JSON.stringify({ contents: [{ parts: [{ text: 'x'.repeat(bytes) }] }] }));

/** How often others had their turn while the body was read. */
async function turnsWhileReading(body: Buffer): Promise<number> {
  let turns = 0;
  let isOver = false;
  const reading = readTextBody(exchangeOf(body)).finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await nextTurn();
  await reading;
  return turns;
}

it('lets others have their turn between the steps of a large body', async () => {
  const usual = await turnsWhileReading(bodyOf(1000));
  const large = await turnsWhileReading(bodyOf(1_000_000));
  expect(large - usual).toBeGreaterThanOrEqual(3);
});
