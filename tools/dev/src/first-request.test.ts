import { firstRequest } from './first-request';

const entry = (id: string, operation: string, more: object = {}) => {
  return { id, operation, synchronous: false, examples: [{ prompt: `of ${id}` }], ...more };
};
const ENTRIES = [
  entry('soundfx-2', 'music.sound-effects', { route: { paths: ['/v1/audio/sound-effects'] } }),
  entry('imagegen-2.5-flare', 'images.generations'),
  entry('ttsmodel-mini', 'speech', { synchronous: true, route: { paths: ['/v1/audio/speech'] } }),
  entry('house-render', 'images.generations'),
];

function requestFor(...served: [model: string, isTest?: boolean][]) {
  const channels = served.map(([model, isTest = false]) => ({ isTest, models: new Map([[model, 'x']]) }));
  return firstRequest({ settings: { channels }, catalogue: { entries: ENTRIES } } as never);
}

it.each<[serves: string[], path: string, model: string]>([
  [['soundfx-2', 'house-render', 'imagegen-2.5-flare'], '/v1/images/generations', 'imagegen-2.5-flare'],
  [['soundfx-2', 'house-render'], '/v1/images/generations', 'house-render'],
  [['ttsmodel-mini', 'soundfx-2'], '/v1/audio/sound-effects', 'soundfx-2'],
])('where %j are served, the first request is to %s for %s', (serves, path, model) => {
  expect(requestFor(...serves.map((id): [string] => [id]))).toMatchObject({ path, body: { model } });
});

it('a model that is served to test keys alone, or to no one, is not asked for', () => {
  expect(requestFor(['imagegen-2.5-flare', true], ['ttsmodel-mini'])).toBeUndefined();
});
