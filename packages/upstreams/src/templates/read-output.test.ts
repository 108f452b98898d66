import type { Json } from '@mediagate/contracts';
import { type KeptPlaces, readOutput } from './read-output';

const read = (answer: Json, places: KeptPlaces) => readOutput(answer, places, { credits: '4.5', requestIds: ['r-1'] });

it.each<[answer: Json, places: KeptPlaces]>([
  [{ videos: [{ url: 'https://v.example/a.mp4' }] }, { video: '/video/url' }],
  [{ video: { link: 'https://v.example/a.mp4' } }, { video: '/video/url' }],
  [{ output: 'https://v.example/a.png' }, { image: '/output/*' }],
  [{ output: ['https://v.example/a.png'] }, { image: '/output/url' }],
  [{ images: [{ href: 'https://v.example/a.png' }] }, { image: '/images/*/url', video: '/video' }],
  [{ video: { url: 'UklGRgAA' } }, { video: '/video/url' }],
  [{ video: { url: 'https://v.example/a.mp4' } }, { video: '/video' }],
  [{ images: ['files/1.png', '/files/2.png'] }, { image: '/images/*' }],
])('of %j nothing stands at %j, and nothing will', (answer, places) => {
  expect(read(answer, places)).toMatchObject({ kind: 'misplaced', credits: '4.5', requestIds: ['r-1'] });
});

it.each<[answer: Json, places: KeptPlaces]>([
  [{}, { video: '/video/url' }],
  [{ video: null, seed: 1 }, { video: '/video/url' }],
  [{ video: {}, seed: 1 }, { video: '/video/url' }],
  [{ images: [] }, { image: '/images/*/url' }],
  [{ images: [] }, { image: '/images/0/url' }],
  [{ images: [] }, { image: '/images' }],
  [{ images: ['files/1.png', null] }, { image: '/images/*' }],
  [{ output: '' }, { image: '/output/*' }],
  [{ video: { url: null } }, { video: '/video/url' }],
  [
    { image: { link: 'x' }, video: null },
    { image: '/image/url', video: '/video/url' },
  ],
])('of %j what stands at %j may still come', (answer, places) => {
  expect(read(answer, places)).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown', credits: '4.5' } });
});
