import { createPriceBook, loadCatalogue } from '@mediagate/catalog';
import { FAMILIES } from '@mediagate/contracts';
import { canServe, PROTOCOLS } from '@mediagate/upstreams';
import { createOfferedModels } from './offered-models';

const catalogue = loadCatalogue();

/** Every model mapped to the protocol. */
const channelOf = (protocol: string) => ({
  id: protocol,
  protocol,
  baseUrl: 'http://vendor.example',
  apiKey: 'none',
  priority: 1,
  weight: 1,
  options: {},
  maxConcurrency: undefined,
  models: new Map(catalogue.modelIds.map((id) => [id, 'm'])),
});

it.each([...PROTOCOLS])('a channel of %s offers the models of its own families and no other', (protocol) => {
  const { all } = createOfferedModels(catalogue, [channelOf(protocol)], createPriceBook());
  const families = new Set(all.filter(({ available }) => available).map(({ entry }) => entry.family));
  expect(families).toEqual(new Set(FAMILIES.filter((family) => canServe(protocol, family))));
});

it('a model that is mapped to a protocol of another family is judged without an exception', () => {
  const { find } = createOfferedModels(catalogue, [channelOf('openai-images')], createPriceBook());
  const track = find('musicgen', 'music.create');
  const parsed = track?.entry.parse({ gpt_description: 'a march' });
  if (!parsed?.ok) throw new Error(`the body must parse: ${JSON.stringify(parsed)}`);
  expect(track?.available).toBe(false);
  expect(track?.lackOf(parsed.input, [])).toBeUndefined();
});
