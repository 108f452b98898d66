import { keyOf } from '../simulator-under-test';
import type { Strictness } from './table';

const image = (fields: object = {}) => ({ tag: '@a', type: 'image', image_urls: ['{url wide.png}'], ...fields });
const video = (fields: object = {}) => ({ tag: '@v', type: 'reference', video_url: '{url clip.mp4}', ...fields });
const FROM_IMAGE = { operation: 'image2video' };
const OMNI = { operation: 'omni-video' };
const ofImages = (...images: object[]) => ({ ...OMNI, prompt: '@a', ref_images: images });
const ofVideos = (...videos: object[]) => ({ ...OMNI, prompt: '@v', ref_videos: videos });
const at = (time: number) => ({
  ...FROM_IMAGE,
  prompt: '@m',
  duration: 5,
  first_frame_image: '{url wide.png}',
  mid_frame_images: [{ tag: '@m', image_url: '{url wide.png}', time_stamp: time }],
});
const pathOf = (operation: unknown) => `/skyreels/api/v1/video/${operation}/submit`;

export const skyreels: Strictness = {
  name: 'skyreels',
  request: ({ operation, ...body }) => ({ path: pathOf(operation), headers: {}, body }),
  good: { operation: 'text2video', api_key: keyOf('skyreels'), prompt: 'a heron' },
  refusal: () => ({ status: 422, body: { code: 422, data: null } }),
  refuses: [
    ['no prompt', { prompt: undefined }],
    ['a prompt of too many tokens', { prompt: 'x'.repeat(5_121) }],
    ['a WEBP', { ...FROM_IMAGE, first_frame_image: '{url a.webp}' }],
    ['an image that is not there', { ...FROM_IMAGE, first_frame_image: '{url none.png}' }],
    ['a frame at the start', at(0)],
    ['a frame at the end', at(5)],
    ['a tag that the prompt does not name', { ...ofImages(image()), prompt: 'a heron' }],
    ['no reference', OMNI],
    ['two grids', ofImages(image({ type: 'grid' }), image({ type: 'grid' }))],
    ['mixed types', ofImages(image(), image({ type: 'grid' }))],
    ['two videos', ofVideos(video(), video())],
    ['an extension with images', { ...ofVideos(video({ type: 'extend' })), prompt: '@a @v', ref_images: [image()] }],
    ['a long video', ofVideos(video({ video_url: '{url long.mp4}' }))],
    ['a video that is none', ofVideos(video({ video_url: '{url wide.png}' }))],
  ],
  takes: [
    ['a last frame as a time', at(-1), { body: { code: 200 } }],
    ['a frame at a second', at(4), { body: { code: 200 } }],
    [
      'a field of another operation',
      { first_frame_image: '{url wide.png}' },
      { warnings: ["unknown field 'first_frame_image' for text2video"] },
    ],
  ],
  requests: [
    ['a wrong key', { body: { api_key: 'other', prompt: 'p' } }, { status: 200, body: { code: 401 } }],
    ['no key', { body: { prompt: 'p' } }, { body: { code: 401 } }],
  ],
};
