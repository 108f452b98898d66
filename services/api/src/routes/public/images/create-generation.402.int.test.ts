import { nanoToDecimal } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';
import { fileOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);

const submit = (key: string, body: unknown = SMALL_IMAGE, headers: Record<string, string> = {}) =>
  api.post('/v1/images/generations', body, { key, headers });

describe('POST /v1/images/generations beyond the money', () => {
  it('answers 402 in the shape of the specification and writes nothing', async () => {
    const { key } = await api.createCaller({ balance: nanoToDecimal(smallImagePrice() - 1n) });
    const rows = await api.countRows();
    const { status, body, headers } = await submit(key);
    expect([status, body.error.reason]).toEqual([402, 'insufficient_balance']);
    expect(headers.get('x-task-id')).toBeNull();
    expect(await api.countRows()).toEqual(rows);
  });

  it('says what was required, available and held, to the nano-unit, as that was decided', async () => {
    const price = Number(smallImagePrice()) / 1e9;
    const balance = (2.5 * price).toFixed(9);
    const { key } = await api.createCaller({ balance });
    const answers = await Promise.all(Array.from({ length: 3 }, () => submit(key)));
    const [refused] = answers.filter(({ status }) => status === 402);
    const available = Number((Number(balance) - 2 * price).toFixed(9));
    expect(refused?.body.error).toMatchObject({ required: price, available, held: Number((2 * price).toFixed(9)) });
  });

  it('reports bad parameters before missing money', async () => {
    const { key } = await api.createCaller({ balance: '0' });
    expect((await submit(key, { ...SMALL_IMAGE, n: 99 })).status).toBe(400);
  });

  it.each([
    ['without an Idempotency-Key', {}],
    ['with an Idempotency-Key', { 'idempotency-key': 'unpaid' }],
  ])(
    'stores no file for a submission that cannot be paid, %s, and says whose money is short',
    async (_how, headers) => {
      const poor = await api.createCaller({ balance: '0' });
      const limited = await api.createCaller({ balance: '1000', quotaNano: 1n });
      const rows = await api.countRows();
      const form = new FormData();
      form.set('model', 'imagegen-2.5-flare');
      form.set('prompt', 'a boat');
      form.set('image', fileOf(pngOf(8, 8)), 'a.png');
      const answers = [];
      for (const { key } of [poor, limited]) answers.push(await api.post('/v1/images/edits', form, { key, headers }));
      expect(answers.map(({ status }) => status)).toEqual([402, 402]);
      expect(answers.map(({ body }) => body.error.message)).toEqual([
        'The balance is insufficient for this task.',
        "The API key's remaining quota is insufficient for this task.",
      ]);
      expect(await api.countRows()).toEqual(rows);
    },
  );
});
