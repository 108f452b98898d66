import type { MediaReference } from '@mediagate/contracts';
import { withImageLimit } from './image-limit';

const image: MediaReference = {
  field: 'image_urls[0]',
  role: 'image',
  url: 'https://example.com/a.png',
  contentTypes: ['image/png'],
  maxBytes: 50,
};

it.each<[why: string, reference: Partial<MediaReference>, maxBytes: number]>([
  ['an image has the limit of the deployment', {}, 20],
  ['a mask too', { role: 'mask' }, 20],
  ['a smaller limit of the model stays', { maxBytes: 7 }, 7],
  ['what a vendor fetches itself has the limit of the model', { inspectOnly: true }, 50],
  ['what is no image too', { role: 'audio' }, 50],
])('%s', (_why, change, maxBytes) => {
  expect(withImageLimit({ ...image, ...change }, 20).maxBytes).toBe(maxBytes);
});
