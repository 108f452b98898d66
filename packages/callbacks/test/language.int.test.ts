import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aboutField, type Message, message } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Translator } from '@mediagate/languages';
import { forEachTest, type OpenTestDatabase, openTestDatabase } from '@mediagate/testkit';
import { redeliver } from '../src';
import { answer, openReceiver } from './receiver';
import { insertAccount, insertDelivery, passTime, readDelivery } from './rows';
import { callbacksOn, createWorld, type World } from './world';

/** A vendor's own words, which no catalogue of messages has. */
const WORDS = 'The sampler ran out of patience.';
const TOO_LARGE = aboutField('image_urls[0]', message('file_too_large', { bytes: 30, limit: 20 }));

let testDatabase: OpenTestDatabase;
let database: Database;
let accountId: string;
let upstream: Server;
/** The upstream's answers, in turn; `undefined`: none at all. */
let said: (string | undefined)[];
let asked: string[];

beforeAll(async () => {
  testDatabase = await openTestDatabase(8);
  ({ database } = testDatabase);
});

afterAll(() => testDatabase.close());

const receiver = forEachTest(openReceiver);
beforeEach(async () => {
  ({ accountId } = await insertAccount(database));
  [said, asked] = [[], []];
  upstream = createServer((request, response) => {
    asked.push(decodeURIComponent(request.url ?? ''));
    const words = said.shift();
    if (words !== undefined) response.end(words);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
});

afterEach(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await once(upstream, 'close');
  await receiver.close();
});

const translator: Translator = async (text, language, signal) => {
  const { port } = upstream.address() as AddressInfo;
  const path = `${language}/${encodeURIComponent(text)}`;
  return await (await fetch(`http://127.0.0.1:${port}/${path}`, { signal })).text();
};

function openWorld(options: { translator?: Translator } = { translator }): World {
  return createWorld(database, { client: { allowOrigins: [receiver.origin] }, ...options });
}

async function failureOf(about: string | Message, language?: string): Promise<string> {
  const text = typeof about === 'string' ? message('foreign', { text: about }) : about;
  const failure = language === undefined ? { message: text } : { message: text, language };
  return (await insertDelivery(database, { accountId, url: receiver.origin, failure })).deliveryId;
}

const errorOf = (body = '{}') => JSON.parse(body).error;

it('a failure is failed in the language of the submission, and nothing else of it changes', async () => {
  await openWorld({}).deliver(await failureOf(TOO_LARGE, 'de'));
  expect(errorOf(receiver.received[0]?.body)).toEqual({
    type: 'task_failed',
    param: '',
    code: 'task_failed',
    reason: 'bad_media',
    message: 'image_urls[0]: Die Datei ist 30 Byte groß; höchstens 20 werden angenommen.',
  });
});

it('without a language, or without a translator, the message is the one that the task keeps', async () => {
  await openWorld().deliver(await failureOf(WORDS));
  await openWorld({}).deliver(await failureOf(WORDS, 'de'));
  expect(receiver.received.map(({ body }) => errorOf(body).message)).toEqual([WORDS, WORDS]);
  expect(asked).toEqual([]);
});

it('a success asks no translator, whatever the language', async () => {
  await openWorld().deliver((await insertDelivery(database, { accountId, url: receiver.origin })).deliveryId);
  expect(receiver.received).toHaveLength(1);
  expect(asked).toEqual([]);
});

it('what was translated for the first attempt is sent by every later one, by other processes too', async () => {
  said = ['Le moteur a perdu patience.', 'Le moteur n’avait plus de patience.'];
  receiver.behave(answer(500), answer(404), answer(200));
  const deliveryId = await failureOf(WORDS, 'fr');
  await openWorld().deliver(deliveryId);
  await passTime(database, deliveryId);
  // This one has no translator, and would not find the words.
  await openWorld({}).deliver(deliveryId);
  await redeliver(callbacksOn(database), { id: deliveryId }, { actor: 'operator' });
  await openWorld().deliver(deliveryId);
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(errorOf(receiver.received[0]?.body).message).toBe('Le moteur a perdu patience.');
  expect(asked).toEqual([`/fr/${WORDS}`]);
});

it('a translator that is silent delays a callback until it is given up, and those of others not at all', async () => {
  const world = openWorld();
  const slow = world.deliver(await failureOf(WORDS, 'ko'));
  await once(upstream, 'request');
  const { accountId: otherId } = await insertAccount(database);
  const other = { accountId: otherId, url: receiver.origin, failure: { message: message('timeout'), language: 'ko' } };
  await world.deliver((await insertDelivery(database, other)).deliveryId);
  expect(receiver.received.map(({ body }) => errorOf(body).message)).toEqual(['작업 시간 초과']);
  await slow;
  expect(receiver.received.map(({ body }) => errorOf(body).message)).toEqual(['작업 시간 초과', WORDS]);
});

it('what was never translated in time stays so for every attempt', async () => {
  receiver.behave(answer(500), answer(200));
  said = ['', '맞는 번역'];
  const deliveryId = await failureOf(WORDS, 'ko');
  await openWorld().deliver(deliveryId);
  await passTime(database, deliveryId);
  await openWorld().deliver(deliveryId);
  expect(receiver.received.map(({ body }) => errorOf(body).message)).toEqual([WORDS, WORDS]);
  expect(asked).toHaveLength(1);
  expect(await readDelivery(database, deliveryId)).toMatchObject({ state: 'delivered', attemptsMade: 2 });
});
