import type { JsonObject } from '@mediagate/contracts';
import type { CallContext } from './contract';
import { readImageCall } from './image-call';

const context: CallContext = {
  endpoint: { channelId: 'c', baseUrl: 'http://host.example', apiKey: 'k', model: 'm', options: {} },
  signal: new AbortController().signal,
};

it.each<JsonObject>([
  {},
  { prompt: 'a', n: 0, size: 'auto' },
  { prompt: 'a', n: 1 },
  { prompt: 1, n: 1, size: 'auto' },
])('%j is no image request, which is a bug of whoever made it', (request) => {
  expect(() => readImageCall({ attemptId: 'a', request, media: [] }, context)).toThrow(TypeError);
});
