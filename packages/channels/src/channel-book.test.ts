import type { JsonObject } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { createChannelBook } from './channel-book';

const MODEL = 'imagegen-2.5-flare';
const FIRST = source({ base_url: 'https://first.example/v1', api_key: 'first-key' });

describe('the book of channels', () => {
  it('finds where an attempt was begun, with the key that the channel has now for the same address alone', async () => {
    const world = openBook(FIRST);
    const destination = await world.remember();
    const keyFor = async (now: JsonObject) => {
      const found = await openBook(source(now), world.rows).find(destination);
      expect(found).toMatchObject({ baseUrl: 'https://first.example/v1' });
      return (found as Channel).apiKey;
    };
    const region = { options: { region: 'second' }, api_key: 'next-key' };
    expect(await keyFor({ base_url: 'https://first.example/v1/', ...region })).toBe('next-key');
    expect(await keyFor({ base_url: 'https://first.example/of-another', api_key: 'key-of-another' })).toBe('first-key');
    expect(await keyFor({ base_url: 'https://second.example/v1', api_key: 'key-of-second' })).toBe('first-key');
  });

  it.each([
    ['its address', { base_url: 'https://second.example/v1' }],
    ['its protocol', { protocol: 'other-images' }],
    ['its options', { options: { region: 'second' } }],
    ["the vendor's name of the model", { models: { [MODEL]: 'second' } }],
  ])('keeps the channel as it was before the change of %s', async (_, change) => {
    const world = openBook(FIRST);
    const destination = await world.remember();
    world.now = source({ ...FIRST, ...change });
    expect(await world.find(destination)).toEqual(toChannel(FIRST));
  });

  it.each(['http_job', 'templates', 'timeout_seconds', 'max_check_seconds'])(
    'asks about a job by what the channel says of %s now: an operator corrects it for the jobs under way, too',
    async (option) => {
      const world = openBook(FIRST);
      const destination = await world.remember();
      world.now = source({ ...FIRST, options: { [option]: { words: 'corrected' } } });
      expect(await world.find(destination)).toEqual(toChannel(world.now));
    },
  );

  it('takes the channel as it is for an attempt of which no destination was written', async () => {
    const world = openBook(FIRST);
    await world.remember();
    world.now = source({ ...FIRST, base_url: 'https://second.example/v1' });
    expect(await world.find(null)).toMatchObject({ baseUrl: 'https://second.example/v1' });
  });

  it('begins nothing at a channel that leads elsewhere by now', async () => {
    const world = openBook(FIRST);
    const chosen = toChannel(FIRST);
    world.now = source({ ...FIRST, base_url: 'https://second.example/v1' });
    expect(await world.book.remember(chosen, MODEL)).toBeUndefined();
    expect(world.rows.size).toBe(0);
  });
});

describe('a remembered origin', () => {
  it('that operators had set stays one of theirs in a process that asks later, whoever sets the channel by then', async () => {
    const world = openBook(FIRST);
    world.operators.add('https://first.example');
    const destination = await world.remember();
    const later = openBook(source({ ...FIRST, base_url: 'https://second.example/v1' }), world.rows);
    expect(await later.find(destination)).toEqual(toChannel(FIRST));
    expect([...later.operators]).toEqual(['https://first.example']);
  });

  it('that the file had named stays free', async () => {
    const world = openBook(FIRST);
    const destination = await world.remember();
    world.now = source({ ...FIRST, base_url: 'https://second.example/v1' });
    await world.find(destination);
    expect(world.operators.size).toBe(0);
  });

  it('is written anew once the file no longer names it', async () => {
    const world = openBook(FIRST);
    const destination = await world.remember();
    world.operators.add('https://first.example');
    await world.remember();
    expect(world.rows.get(destination)?.originByOperator).toBe(true);
  });

  it('that is a private address is asked no more', async () => {
    const inside = source({ ...FIRST, base_url: 'http://10.0.0.8:9000/v1' });
    const world = openBook(inside);
    world.operators.add('http://10.0.0.8:9000');
    const destination = await world.remember();
    world.now = FIRST;
    expect(await world.find(destination)).toMatchObject({ missing: expect.stringContaining('not public') });
  });
});

function source(fields: JsonObject): JsonObject {
  return { id: 'images', protocol: 'images', options: {}, models: { [MODEL]: 'first' }, ...fields };
}

function toChannel({ base_url: baseUrl, api_key: apiKey, models, ...same }: JsonObject): Channel {
  const map = new Map(Object.entries(models as Record<string, string>));
  return { ...same, baseUrl, apiKey, models: map } as unknown as Channel;
}

interface Row {
  source: JsonObject;
  originByOperator: boolean;
}

/** @param rows of the database. */
function openBook(initial: JsonObject, rows = new Map<string, Row>()) {
  const world = { now: initial, rows, operators: new Set<string>() };
  const book = createChannelBook({
    database: databaseOf(rows) as never,
    channels: { find: () => toChannel(world.now) },
    sources: () => new Map([['images', world.now]]),
    open: toChannel,
    origins: {
      mustBePublic: (origin) => world.operators.has(origin),
      remember: (origin) => void world.operators.add(origin),
    },
  });
  return Object.assign(world, {
    book,
    async remember(): Promise<string> {
      const destination = await book.remember(toChannel(world.now), MODEL);
      if (destination === undefined) throw new Error('it was not remembered');
      return destination;
    },
    async find(destination: string | null) {
      const found = await book.find({ channelId: 'images', destination }, MODEL);
      return 'channel' in found ? found.channel : found;
    },
  });
}

function databaseOf(rows: Map<string, Row>) {
  return {
    async rememberChannel({ destination, source: written, originByOperator }: Row & { destination: string }) {
      rows.set(destination, { source: written, originByOperator });
      return [];
    },
    channelDefinition: { findUnique: async () => null },
    channelDestination: {
      async findUnique({ where }: { where: { channelId_destination: { destination: string } } }) {
        return rows.get(where.channelId_destination.destination) ?? null;
      },
    },
  };
}
