import type { JsonObject } from '@mediagate/contracts';
import type { StoredOutput } from '@mediagate/worker-runtime';
import { imgtoolProfile } from './profile';

const describeResult = (outputs: StoredOutput[], facts: JsonObject) =>
  imgtoolProfile.describeResult(outputs, facts, null);
const expiresAt = new Date(4_000_000_000_500);
const link = (name: string) => `https://media.example/${name}`;
const imageOutput = (name: string, facts?: StoredOutput['facts']): StoredOutput => ({
  role: 'image',
  url: link(name),
  contentType: 'image/png',
  expiresAt,
  sha256: '',
  ...(facts === undefined ? {} : { facts }),
});
const video = (name: string): StoredOutput => ({
  role: 'video',
  url: link(name),
  contentType: 'video/mp4',
  expiresAt,
  sha256: '',
  seconds: 5.2,
});
const tiles = [1, 2, 3, 4].map((tile) => imageOutput(`${tile}.png`, { tile }));

describe('the result of an image-tool task', () => {
  it('of a grid has its four images in their places, and as images with their numbers before the grid', () => {
    const image = (name: string) => ({ url: [link(`${name}.png`)], expires_at: 4_000_000_000 });
    expect(describeResult([imageOutput('grid.png'), ...tiles], { hasGrid: true })).toEqual({
      images: [...[1, 2, 3, 4].map((index) => ({ ...image(`${index}`), index })), image('grid')],
      grid_image_url: link('grid.png'),
      image_urls: ['1', '2', '3', '4'].map((name) => link(`${name}.png`)),
    });
  });

  it('keeps every image in its place when one of them, or the grid, was lost', () => {
    const lost = describeResult([imageOutput('grid.png'), ...tiles.filter((_, index) => index !== 1)], {
      hasGrid: true,
    });
    expect(lost['image_urls']).toEqual([link('1.png'), '', link('3.png'), link('4.png')]);
    expect(lost['images']).toMatchObject([{ index: 1 }, { index: 3 }, { index: 4 }, { url: [link('grid.png')] }]);
    const gridless = describeResult(tiles, { hasGrid: true });
    expect(gridless).not.toHaveProperty('grid_image_url');
    expect(gridless['image_urls']).toEqual(['1', '2', '3', '4'].map((name) => link(`${name}.png`)));
  });

  it('of a grid whose images are not listed has the grid alone', () => {
    const result = describeResult([imageOutput('grid.png')], { hasGrid: true });
    expect([result['grid_image_url'], result['image_urls']]).toEqual([link('grid.png'), []]);
  });

  it('of one image has no grid', () => {
    const result = describeResult([imageOutput('one.png')], { hasGrid: false });
    expect(result).not.toHaveProperty('grid_image_url');
    expect(result['image_urls']).toEqual([link('one.png')]);
  });

  it('of videos has each of them, of words the description, and buttons in the record’s spelling', () => {
    expect(describeResult([video('1.mp4'), video('2.mp4')], { hasGrid: false })).toEqual({
      videos: ['1.mp4', '2.mp4'].map((name) => ({ url: [link(name)], expires_at: 4_000_000_000, duration: 5.2 })),
    });
    const buttons = [{ customId: 'MJ::JOB::reroll::0::h', label: 'again' }, { customId: 'MJ::CustomZoom::h' }, {}];
    expect(
      describeResult([], { hasGrid: false, description: '1. a fox', finalPrompt: 'a fox --v 7', buttons }),
    ).toEqual({
      final_prompt: 'a fox --v 7',
      description: '1. a fox',
      buttons: [
        { custom_id: 'MJ::JOB::reroll::0::h', label: 'again' },
        { custom_id: 'MJ::CustomZoom::h', label: '' },
      ],
    });
  });
});
