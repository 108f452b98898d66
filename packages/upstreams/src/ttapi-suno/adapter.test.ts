import { describeAdapterConformance } from '../../test/adapter-conformance';
import { checkChannelOptions } from '../index';

describeAdapterConformance({ protocol: 'ttapi-suno', basePath: '', vendorWords: /ttapi|suno|chirp/i, answers: 'jobs' });

describe("the channel's names for what the documentation leaves open", () => {
  it('are for operations that there are', () => {
    expect(
      checkChannelOptions('ttapi-suno', { paths: { adjust_speed: 'adjustSpeed', fade_out: 'fade' } }),
    ).toBeUndefined();
    expect(checkChannelOptions('ttapi-suno', { paths: { dance: 'dance' } })).toContain('"dance"');
    expect(checkChannelOptions('ttapi-suno', { fields: { 'sample.start_s': 3 } })).toContain('names');
  });
});

describe('the edits of a channel', () => {
  it('are those that there are, each on or off', () => {
    expect(checkChannelOptions('ttapi-suno', { edits: { crop: false, fade: true } })).toBeUndefined();
    expect(checkChannelOptions('ttapi-suno', { edits: { dance: false } })).toContain('"dance"');
    expect(checkChannelOptions('ttapi-suno', { edits: { create: false } })).toContain('"create"');
    expect(checkChannelOptions('ttapi-suno', { edits: { crop: 'no' } })).toContain('true or false');
    expect(checkChannelOptions('ttapi-suno', { edits: ['crop'] })).toContain('true or false');
  });
});
