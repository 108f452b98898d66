import { audit } from '@mediagate/billing';
import type { CatalogueEntry } from '@mediagate/catalog';
import { type JsonObject, nanoToNumber } from '@mediagate/contracts';
import fc from 'fast-check';
import { randomBody } from '../../../test/random-body';
import { type Caller, catalogue, startTestApi, type TestApi } from '../../../test/test-api';

jest.setTimeout(600_000);

/** `npm run property` asks for more. */
const BODIES = Number(process.env['ESTIMATE_BODIES'] ?? 500);
const AT_ONCE = 8;

const PATHS: Readonly<Record<string, string>> = {
  'images.generations': '/v1/images/generations',
  'videos.generations': '/v1/videos/generations',
};
/** Synchronous models are compared one by one, elsewhere: their answers are not acknowledgements. */
const ENTRIES = catalogue.entries.filter((entry) => !entry.synchronous && pathOf(entry) !== '');

/** Empty: no route but those of the older interface makes such tasks. */
function pathOf({ route, operation }: CatalogueEntry): string {
  return route?.paths[0] ?? PATHS[operation] ?? '';
}

let api: TestApi;
let caller: Caller;

beforeAll(async () => {
  api = await startTestApi();
  caller = await api.createCaller({ balance: '1000000' });
});
afterAll(() => api.stop());

const withoutRequestId = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

/** Once more where the service was too busy, as it asks for. */
async function send(path: string, body: JsonObject, key: string) {
  const answer = await api.post(path, body, { key });
  return answer.status === 503 ? api.post(path, body, { key }) : answer;
}

/** How the price was compared: the submission was accepted, or refused in the same words. */
async function compare(entry: CatalogueEntry, body: JsonObject): Promise<'accepted' | 'refused'> {
  const { key } = caller;
  const path = pathOf(entry);
  const estimate = await send('/v1/estimate', { path, body }, key);
  const submission = await send(path, body, key);
  if (submission.status !== 200) {
    expect({ path, sent: body, ...withoutRequestId(estimate) }).toEqual({
      path,
      sent: body,
      ...withoutRequestId(submission),
    });
    return 'refused';
  }
  const taskId = submission.body.data[0].task_id;
  const { amountNano } = await api.database.reservation.findUniqueOrThrow({ where: { taskId } });
  expect([path, body, estimate.status, estimate.body]).toMatchObject([path, body, 200, {}]);
  const { reserved, expected, unit_prices, warnings } = estimate.body.data;
  expect({ path, sent: body, reserved }).toEqual({ path, sent: body, reserved: nanoToNumber(amountNano) });
  expect(expected).toBeLessThanOrEqual(reserved);
  expect(warnings).toEqual(submission.body.data[0].warnings ?? []);
  const sum = unit_prices.reduce(
    (total: number, { price, quantity }: Record<string, number>) => total + (price ?? 0) * (quantity ?? 0),
    0,
  );
  expect(Math.abs(sum - reserved)).toBeLessThan(1e-7);
  return 'accepted';
}

it(`what is reserved of ${BODIES} bodies over all models is what was estimated, and refusals are the same to the letter`, async () => {
  const bodies = fc.sample(
    fc.constantFrom(...ENTRIES).chain((entry) => randomBody(entry).map((body) => ({ entry, body }))),
    { numRuns: BODIES, seed: Number(process.env['ESTIMATE_SEED'] ?? 7) },
  );
  const counts = { accepted: 0, refused: 0 };
  const compareNext = async (): Promise<void> => {
    for (let next = bodies.pop(); next; next = bodies.pop()) counts[await compare(next.entry, next.body)] += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compareNext));
  expect(counts.accepted).toBeGreaterThan(BODIES / 4);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(await audit(api.database)).toEqual([]);
});
