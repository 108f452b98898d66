import { forAllTests } from '@mediagate/testkit';
import { answer, says } from '../../../../test/text-upstream';
import { COST, FLASH, openTextWorld, RESERVED } from '../../../../test/text-world';

const world = forAllTests(openTextWorld);

const CONTENTS = [{ role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] }];
/** The estimated price of the prompt. */
const PROMPT = 7n * 300n;
const OUTPUT = 2500n;
const LEAST = PROMPT + 1024n * OUTPUT;
const decimal = (nano: bigint) => `0.${nano.toString().padStart(9, '0')}`;

const sent = () => JSON.parse(world.vendor.heard.at(-1)?.body ?? '');

async function ask(nano: bigint, body: object = { contents: CONTENTS }, quota = false) {
  const balance = quota ? '1' : decimal(nano);
  const caller = await world.api.createCaller({ balance, ...(quota ? { quotaNano: nano } : {}) });
  const answered = await world.api.post(`${FLASH}:generateContent`, body, { key: caller.key });
  return { caller, answered };
}

describe('a text without a number of output tokens', () => {
  it('is asked for as it is where there is money for all that the model makes', async () => {
    const { answered } = await ask(RESERVED);
    expect(answered.status).toBe(200);
    expect(sent()).toEqual({ contents: CONTENTS });
  });

  it.each([
    ['the account has', false],
    ['the quota of the key leaves', true],
  ])('is held at what %s, and the vendor learns how many tokens that is for', async (_what, quota) => {
    const { answered, caller } = await ask(PROMPT + 2000n * OUTPUT + 1n, undefined, quota);
    expect(answered.status).toBe(200);
    expect(sent()).toEqual({ contents: CONTENTS, generationConfig: { maxOutputTokens: 2000 } });
    const id = String(answered.headers.get('x-task-id'));
    await world.ended(id, caller);
    const { amountNano, settledNano } = await world.api.database.reservation.findUniqueOrThrow({
      where: { taskId: id },
    });
    expect({ amountNano, settledNano }).toEqual({ amountNano: PROMPT + 2000n * OUTPUT + 1n, settledNano: COST });
  });

  it('tells a key of the scope `own` nothing of the balance by what it holds', async () => {
    const held = async (nano: bigint) => {
      const caller = await world.api.createCaller({ balance: decimal(nano), scope: 'own' });
      const answered = await world.api.post(`${FLASH}:generateContent`, { contents: CONTENTS }, { key: caller.key });
      expect(answered.status).toBe(200);
      const taskId = String(answered.headers.get('x-task-id'));
      await world.ended(taskId, caller);
      return (await world.api.database.reservation.findUniqueOrThrow({ where: { taskId } })).amountNano;
    };
    const quarter = RESERVED / 4n;
    expect(await Promise.all([RESERVED, quarter, quarter + 1n, 2n * quarter - 1n].map(held))).toEqual([
      RESERVED,
      quarter,
      quarter,
      quarter,
    ]);
    expect(await held(LEAST)).toBe(LEAST);
  });

  it('keeps what else its body says, by whichever of the two names', async () => {
    const body = {
      contents: CONTENTS,
      generation_config: { max_output_tokens: null, temperature: 0 },
      generationConfig: { topK: 3 },
      safetySettings: [],
    };
    const { answered } = await ask(PROMPT + 3000n * OUTPUT, body);
    expect(answered.status).toBe(200);
    const generationConfig = { temperature: 0, topK: 3, maxOutputTokens: 3000 };
    expect(sent()).toEqual({ contents: CONTENTS, safetySettings: [], generationConfig });
  });

  it('is refused below 1,024 of them', async () => {
    const { answered } = await ask(LEAST - 1n);
    expect(answered).toMatchObject({ status: 402, body: { error: { reason: 'insufficient_balance' } } });
    expect((await ask(LEAST)).answered.status).toBe(200);
  });

  it('is lent nothing where two of them come at once', async () => {
    const caller = await world.api.createCaller({ balance: decimal(LEAST * 2n - 1n) });
    const both = await Promise.all(
      [1, 2].map(() => world.api.post(`${FLASH}:generateContent`, { contents: CONTENTS }, { key: caller.key })),
    );
    const statuses = both.map(({ status }) => status);
    expect(statuses).toContain(200);
    const account = await world.api.database.account.findUniqueOrThrow({ where: { id: caller.accountId } });
    expect(account.toppedUpNano - account.heldNano - account.settledNano).toBeGreaterThanOrEqual(0n);
  });
});

it('a balance for so many texts serves them one after the other, and no more, however soon each comes after the last', async () => {
  const texts = 40;
  const { key } = await world.api.createCaller({ balance: decimal(LEAST + BigInt(texts - 1) * COST) });
  const statuses: number[] = [];
  for (let text = 0; text <= texts; text += 1) {
    const { status } = await world.api.post(`${FLASH}:generateContent`, { contents: CONTENTS }, { key });
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array(texts).fill(200), 402]);
});

it('money that a text of another account holds is not waited for, and neither is that of a text under way', async () => {
  let release: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    world.vendor.next((...exchange) => {
      release = () => says(answer('Because.'))(...exchange);
      resolve();
    });
  });
  const { key } = await world.api.createCaller({ balance: decimal(LEAST) });
  const post = () => world.api.post(`${FLASH}:generateContent`, { contents: CONTENTS }, { key });
  const first = post();
  await asked;
  expect((await post()).status).toBe(402);
  release();
  expect((await first).status).toBe(200);
});

it('a text that names its number is refused where there is not the money for it', async () => {
  const { answered } = await ask(LEAST, { contents: CONTENTS, generationConfig: { maxOutputTokens: 1025 } });
  expect(answered.status).toBe(402);
});
