import { type Channel, checkCoverage } from './index';

it('names the models that no channel serves, in the order of the catalogue, each once', () => {
  const channel = { models: new Map([['imagegen-2', 'gpt-image-2']]) } as unknown as Channel;
  expect(checkCoverage({ channels: [channel] }, ['imageseed-4.0', 'imagegen-2', 'a', 'imageseed-4.0'])).toEqual([
    'imageseed-4.0',
    'a',
  ]);
});
