import type { JsonObject } from '@mediagate/contracts';
import { modelUnderTest, urls } from './model-under-test';

const IMAGE = 'https://example.com/0.png';
const roles = (...named: string[]) => ({ image_with_roles: named.map((role) => ({ url: IMAGE, role })) });
const subject = (tag: string, type: string, images: number) => ({ tag, type, image_urls: urls(images) });
const element = (name: string) => ({ name, description: 'a person', element_input_urls: [IMAGE, IMAGE] });
const mid = (tag: string, time_stamp: number) => ({ tag, image_url: IMAGE, time_stamp });

it.each<[rule: string, model: string, body: JsonObject, params: string[]]>([
  ['addresses of images', 'imagegen-2', { image_urls: ['ftp://a', IMAGE, 'b'] }, ['image_urls[0]', 'image_urls[2]']],
  [
    'frames that are neither addresses nor images',
    'videod-02',
    { first_frame_image: 'a', last_frame_image: 'b' },
    ['first_frame_image', 'last_frame_image'],
  ],
  [
    'references of two kinds, each too many',
    'videoa-3.0-video',
    {
      generation_type: 'reference',
      image_urls: urls(10),
      ...roles('reference'),
      audio_urls: urls(5),
      audio_url: IMAGE,
    },
    ['image_with_roles', 'audio_url'],
  ],
  [
    'references beside a frame',
    'videoa-3.0-video',
    { ...roles('first_frame', 'reference'), video_urls: urls(1) },
    ['image_with_roles[1].url', 'video_urls[0]'],
  ],
  [
    'frames that are there twice',
    'videoa-3.0-video',
    roles('first_frame', 'first_frame', 'last_frame', 'last_frame'),
    ['image_with_roles[1].url', 'image_with_roles[3].url'],
  ],
  [
    'names of elements that hold each other',
    'videoe-v3',
    { element_list: [element('Iris'), element('Iris'), element('Otto')] },
    ['element_list[0].name', 'element_list[1].name'],
  ],
  [
    'tags without @, repeated, and absent from the prompt',
    'videoc-v4-std',
    { mid_frame_images: [mid('a', 1), mid('@b', 2), mid('@b', 3), mid('@c', 4)] },
    ['mid_frame_images[0].tag', 'mid_frame_images[2].tag', 'mid_frame_images[1].tag', 'mid_frame_images[3].tag'],
  ],
  [
    'moments outside the video',
    'videoc-v4-std',
    { prompt: '@a @b', duration: 5, mid_frame_images: [mid('@a', 0), mid('@b', 5)] },
    ['mid_frame_images[0].time_stamp', 'mid_frame_images[1].time_stamp'],
  ],
  [
    'a subject of another type, with too many images',
    'videoc-v4-std',
    { prompt: '@a @b', ref_images: [subject('@a', 'image', 1), subject('@b', 'grid', 2)] },
    ['ref_images[1].type', 'ref_images[1].image_urls'],
  ],
])('each is named: %s', (_rule, model, body, params) => {
  expect(modelUnderTest(model, { prompt: 'A boat' }).refused(body)).toMatchObject({ params });
});
