import { type Database, DatabaseUnavailableError } from '@mediagate/database';
import { audit, Credit, createFinisher, createSubmitter, type Drawn, type Finish, submitOnceCreditIsIn } from '../src';
import { type Books, fundedKey, openBooks, type Payer, standing, submission } from './books';
import { COST, completedText, textOf } from './texts';

const BALANCE = 100_000n;
const SECONDS = 10;

let books: Books;
const opened: Credit[] = [];

beforeAll(async () => {
  books = await openBooks(20);
});
afterEach(async () => {
  for (const credit of opened.splice(0)) await credit.close();
  expect(await audit(books.database)).toEqual([]);
});
afterAll(() => books.close());

/** What an API process has of credit; `bookDrawn` may be disturbed. */
function openCredit(bookDrawn: Database['bookDrawn'] = books.database.bookDrawn): Credit {
  const { database } = books;
  const submit = submitOnceCreditIsIn(database, { submit: createSubmitter(database), waitMs: 1_000 });
  const options = { limitNano: 1000n, seconds: SECONDS, submit, finish: createFinisher(database) };
  const credit = new Credit({ tally: database.tally, bookDrawn }, options);
  opened.push(credit);
  return credit;
}

async function drawMany(credit: Credit, payer: Payer, count: number): Promise<Drawn[]> {
  const texts: Drawn[] = [];
  while (texts.length < count) {
    const drawn = credit.draw(textOf(payer));
    if (drawn === undefined) await new Promise((resolve) => setImmediate(resolve));
    else texts.push(drawn);
  }
  return texts;
}

const completed = ({ submission: text }: Drawn): Finish => completedText(text);

/** The database takes no such id. */
function unstorable(drawn: Drawn): Finish {
  const end = completed(drawn);
  return { ...end, calls: (end.calls ?? []).map((call) => ({ ...call, requestIds: ['a\u0000b'] })) };
}

/** All that is not out as credit, of which more may be taken meanwhile. */
async function spendRest({ accountId, keyId }: Payer): Promise<void> {
  const submit = createSubmitter(books.database);
  for (let isSpent = false; !isSpent; ) {
    const { creditNano } = await books.database.account.findUniqueOrThrow({ where: { id: accountId } });
    isSpent = (await submit(submission({ accountId, keyId }, BALANCE - creditNano))).kind === 'accepted';
  }
}

/** As settlements do: what is not booked together goes on by itself. */
async function endAll(
  credit: Credit,
  texts: readonly Drawn[],
  endOf: (drawn: Drawn, index: number) => Finish = completed,
) {
  const ways: Promise<unknown>[] = [];
  let together = 0;
  await new Promise<void>((resolve) => {
    const ends = texts.map((drawn, index) => ({ drawn, end: endOf(drawn, index) }));
    credit.endTogether(ends, ({ drawn, end }, isBooked) => {
      if (isBooked) together += 1;
      ways.push(isBooked ? Promise.resolve() : credit.end(drawn, end));
      if (ways.length === texts.length) resolve();
    });
  });
  const outcomes = await Promise.allSettled(ways);
  return { together, lost: outcomes.filter(({ status }) => status === 'rejected').length };
}

it('texts that end together are booked once each, however many they are and whoever pays', async () => {
  const [one, other] = [await fundedKey(books.database, BALANCE), await fundedKey(books.database, BALANCE)];
  const credit = openCredit();
  const texts = [...(await drawMany(credit, one, 40)), ...(await drawMany(credit, other, 7))];
  expect(await endAll(credit, texts)).toEqual({ together: 47, lost: 0 });
  expect(await standing(books.database, one.accountId)).toMatchObject({ held: 0n, settled: 40n * COST });
  expect(await standing(books.database, other.accountId)).toMatchObject({ held: 0n, settled: 7n * COST });
});

it('one that the database refuses takes no other with it, even where the balance is spent', async () => {
  const payer = await fundedKey(books.database, BALANCE);
  const credit = openCredit();
  const texts = await drawMany(credit, payer, 16);
  await spendRest(payer);
  const ended = await endAll(credit, texts, (drawn, index) => (index === 3 ? unstorable(drawn) : completed(drawn)));
  expect(ended.lost).toBe(1);
  expect(await standing(books.database, payer.accountId)).toMatchObject({ settled: 15n * COST });
});

it('one that the database refuses ends the credit of its key for a minute, so that no more are answered that may never be booked', async () => {
  const [faulty, other] = [await fundedKey(books.database, BALANCE), await fundedKey(books.database, BALANCE)];
  const credit = openCredit();
  const texts = await drawMany(credit, faulty, 8);
  await endAll(credit, texts, (drawn, index) => (index === 0 ? unstorable(drawn) : completed(drawn)));
  for (const drawn of texts) credit.forget(drawn);
  const drawAgain = (payer: Payer) => Array.from({ length: 100 }, () => credit.draw(textOf(payer)));
  expect(drawAgain(faulty)).toEqual(Array(100).fill(undefined));
  for (let left = 1n; left > 0n; ) {
    left = (await books.database.account.findUniqueOrThrow({ where: { id: faulty.accountId } })).creditNano;
  }
  expect(drawAgain(faulty)).toEqual(Array(100).fill(undefined));
  const others = await drawMany(credit, other, 8);
  expect(await endAll(credit, others)).toEqual({ together: 8, lost: 0 });
});

it('those that are being booked as running, or were sent before, go on by themselves at once', async () => {
  const payer = await fundedKey(books.database, BALANCE);
  const credit = openCredit();
  const texts = await drawMany(credit, payer, 20);
  credit.look(performance.now() + SECONDS * 1000);
  const early: boolean[] = [];
  credit.endTogether(
    texts.map((drawn) => ({ drawn, end: completed(drawn) })),
    (_, isBooked) => early.push(isBooked),
  );
  expect(early).toEqual(texts.map(() => false));
  expect(await endAll(credit, texts)).toEqual({ together: 0, lost: 0 });
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 20n * COST });
});

it('are booked once where the answer of their statement was lost', async () => {
  const payer = await fundedKey(books.database, BALANCE);
  let losing = 0;
  const credit = openCredit(async (...args) => {
    const rows = await books.database.bookDrawn(...args);
    if (losing > 0 && args[1].length > 0) {
      losing -= 1;
      throw new DatabaseUnavailableError(new Error('the answer was lost'));
    }
    return rows;
  });
  const texts = await drawMany(credit, payer, 10);
  losing = 2;
  expect(await endAll(credit, texts)).toEqual({ together: 0, lost: 0 });
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 10n * COST });
});

it('a statement takes 128 texts, each for itself or sixteen in an entry', async () => {
  const payer = await fundedKey(books.database, BALANCE);
  const sizes: number[] = [];
  const credit = openCredit((...args) => {
    sizes.push(args[1].length);
    return books.database.bookDrawn(...args);
  });
  const running = await drawMany(credit, payer, 90);
  sizes.length = 0;
  credit.look(performance.now() + SECONDS * 1000);
  while (running.some(({ state }) => state !== 'known')) await new Promise((resolve) => setImmediate(resolve));
  expect(sizes.filter((size) => size > 0)).toEqual([90]);
  expect(await endAll(credit, running)).toEqual({ together: 0, lost: 0 });
});
