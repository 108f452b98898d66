import * as fc from 'fast-check';
import { isFrame } from './frames';
import {
  canonicalRole,
  classifyBareImages,
  familiesAreNotMixed,
  IMAGE_ROLES,
  type Videoa3Media,
  videoa3Assets,
} from './videoa-3-assets';

const url = fc.constantFrom('https://example.com/a', 'https://example.com/b');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const media = fc
  .record({
    generation_type: optional(fc.constantFrom('frame', 'reference')),
    image_urls: optional(fc.array(url, { maxLength: 3 })),
    image_with_roles: optional(fc.array(fc.record({ url, role: fc.constantFrom(...IMAGE_ROLES) }), { maxLength: 3 })),
    video_urls: optional(fc.array(url, { maxLength: 2 })),
    audio_urls: optional(fc.array(url, { maxLength: 2 })),
    audio_url: optional(url),
    file_url: optional(url),
    link_url: optional(url),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Videoa3Media);

it('bare images are what generation_type says, else what the other media are, else frames', () => {
  expect(classifyBareImages({ generation_type: 'frame', video_urls: ['a'] })).not.toBe('reference_image');
  expect(classifyBareImages({ generation_type: 'reference' })).toBe('reference_image');
  expect(classifyBareImages({ audio_url: 'a' })).toBe('reference_image');
  expect(classifyBareImages({ video_urls: [], audio_urls: [] })).not.toBe('reference_image');
});

it('whatever is given, every address becomes one asset, in the order of the fields', () => {
  void fc.assert(
    fc.property(media, (input) => {
      const named = [
        ...(input.image_urls ?? []),
        ...(input.image_with_roles ?? []).map((image) => image.url),
        ...(input.video_urls ?? []),
        ...(input.audio_urls ?? []),
        ...[input.audio_url, input.file_url, input.link_url].filter((address) => address !== undefined),
      ];
      expect(videoa3Assets(input).map((asset) => asset.url)).toEqual(named);
    }),
  );
});

it('what is not refused as mixed is of one family', () => {
  void fc.assert(
    fc.property(media, (input) => {
      const frames = videoa3Assets(input).map(isFrame);
      const mixed = frames.includes(true) && frames.includes(false);
      expect(familiesAreNotMixed(input) !== undefined).toBe(mixed);
    }),
  );
});

it('roles that are neither known nor an alias stay, for the schema to refuse', () => {
  expect(canonicalRole(' Middle ')).toBe('middle');
  expect(canonicalRole('constructor')).toBe('constructor');
});
