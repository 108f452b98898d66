import { createPriceBook, loadCatalogue } from '@mediagate/catalog';
import { FAMILIES } from '@mediagate/contracts';
import { canServe, ownProtocols, protocolWords } from '@mediagate/upstreams';
import { testChannel } from '../test/test-channel';
import { createOfferedModels } from './offered-models';

const catalogue = loadCatalogue();
const CHARGED = { isTest: false };
const OF_BUILD = {
  prices: { book: () => createPriceBook(), requireKnown: () => undefined },
  protocols: ownProtocols(),
};

/** Every model mapped to the protocol. */
const channelOf = (protocol: string) =>
  testChannel(protocol, { protocol, models: new Map(catalogue.modelIds.map((id) => [id, 'm'])) });

it.each(protocolWords(ownProtocols()))(
  'a channel of %s offers the models of its own families and no other',
  (protocol) => {
    const { all } = createOfferedModels(catalogue, { channels: [channelOf(protocol)], ...OF_BUILD }, CHARGED);
    const families = new Set(all.filter(({ available }) => available).map(({ entry }) => entry.family));
    expect(families).toEqual(new Set(FAMILIES.filter((family) => canServe(protocol, family, ownProtocols()))));
  },
);

it('a model that is mapped to a protocol of another family is judged without an exception', () => {
  const { find } = createOfferedModels(catalogue, { channels: [channelOf('openai-images')], ...OF_BUILD }, CHARGED);
  const track = find('musicgen', 'music.create');
  const parsed = track?.entry.parse({ gpt_description: 'a march' });
  if (!parsed?.ok) throw new Error(`the body must parse: ${JSON.stringify(parsed)}`);
  expect(track?.available).toBe(false);
  expect(track?.lackOf(parsed.input, [])).toBeUndefined();
});

it('keeps offering a model whose channels operators have closed, as paused', () => {
  const pausedChannels = [channelOf('openai-images')];
  const imagesOf = (channels: typeof pausedChannels) =>
    createOfferedModels(catalogue, { channels, pausedChannels, ...OF_BUILD }, CHARGED).find('imagegen-2');
  expect(imagesOf([])).toMatchObject({ available: true, isPaused: true });
  expect(imagesOf([channelOf('gemini')])).toMatchObject({ available: true, isPaused: false });
});

it('offers test keys what channels of tests serve, for nothing, and others none of it', () => {
  const channels = [{ ...channelOf('openai-images'), isTest: true }, channelOf('openai-speech')];
  const [test, charged] = [true, false].map((isTest) =>
    createOfferedModels(catalogue, { channels, ...OF_BUILD }, { isTest }),
  );
  expect([test?.families, charged?.families]).toEqual([new Set(['image']), new Set(['tts'])]);
  const isHad = (models = charged) => models?.find('imagegen-2')?.available;
  expect([isHad(test), isHad(charged)]).toEqual([true, false]);
  const prices = (models = charged) => models?.all.flatMap(({ prices }) => Object.values(prices())) ?? [];
  expect(new Set(prices(test))).toEqual(new Set([0n]));
  expect(prices(charged)).toEqual(expect.not.arrayContaining([0n]));
});
