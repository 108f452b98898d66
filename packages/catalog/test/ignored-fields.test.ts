import type { JsonObject } from '@mediagate/contracts';
import { loadCatalogue } from '../src';

const catalogue = loadCatalogue();
const image_urls = ['https://example.com/a.png'];

it.each<[model: string, field: string, body: JsonObject]>([
  ['videoa-2.6', 'aspect_ratio', { prompt: 'a boat', image_urls, aspect_ratio: '21:9' }],
  ['videoa-2.7', 'size', { prompt: 'a boat', image_urls, size: 'adaptive' }],
  ['videoa-2.7', 'size', { prompt: 'a boat', image_urls, size: 7 }],
  [
    'videoc-v4-fast',
    'aspect_ratio',
    { prompt: 'a boat', first_frame_image: image_urls[0] as string, aspect_ratio: '21:9' },
  ],
  ['videoe-v3', 'aspect_ratio', { prompt: 'a boat', image_urls, aspect_ratio: '4:3' }],
  ['videoe-v3', 'multi_prompt', { prompt: 'a boat', multi_prompt: [{ index: 'one' }] }],
  ['videod-02', 'fast_pretreatment', { prompt: 'a boat', prompt_optimizer: false, fast_pretreatment: 'yes' }],
  ['imagegen-2.5-flare', 'mask_url', { prompt: 'a boat', mask_url: 'x' }],
  ['imagegen-2.5-flare', 'mask_url', { prompt: 'a boat', mask_url: 7 }],
  ['imagegen-2.5-flare', 'resolution', { prompt: 'a boat', size: '1024x1024', resolution: '8k' }],
])('%s ignores a wrong %s where a rule does, with a warning: %j', (model, field, body) => {
  const parsed = catalogue.find(model)?.parse(body);
  expect(parsed).toMatchObject({ ok: true, warnings: [{ params: { field } }] });
});

it('a wrong value is refused where the field counts, and other faults beside an ignored one', () => {
  const parse = (model: string, body: JsonObject) => catalogue.find(model)?.parse({ prompt: 'a boat', ...body });
  expect(parse('videoa-2.7', { size: 'adaptive' })).toMatchObject({ ok: false, failures: [{ param: 'size' }] });
  const both = parse('videoa-2.7', { image_urls, size: 'adaptive', duration: 99 });
  expect(both).toMatchObject({ ok: false, failures: [{ param: 'duration' }] });
});
