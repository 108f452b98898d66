import type { LoadedMedia } from '@mediagate/contracts';
import { ownTrack, readMusicCall, versionName } from './music-call';

const endpoint = {
  channelId: 'channel-1',
  baseUrl: 'https://vendor.example',
  apiKey: 'key',
  model: 'newest',
  options: {},
};
const context = { endpoint, signal: new AbortController().signal };

function media(role: LoadedMedia['role'], bytes: string): LoadedMedia {
  return { field: 'audio_url', role, contentType: 'audio/mpeg', bytes: Buffer.from(bytes) };
}

describe('a music start', () => {
  it('has the track only where it was fetched', () => {
    const files = [media('image', 'an image'), media('audio', ''), media('audio', 'a song')];
    const call = (list: LoadedMedia[]) =>
      readMusicCall({ attemptId: 'attempt-1', request: { operation: 'crop' }, media: list }, context);
    expect(call(files).audio?.bytes.toString()).toBe('a song');
    expect(call(files.slice(0, 2)).audio).toBeUndefined();
  });

  it.each([{}, { operation: 3 }, { operation: 'crop', source: 'task_1' }])('is not %j', (request) => {
    expect(() => readMusicCall({ attemptId: 'attempt-1', request, media: [] }, context)).toThrow(TypeError);
  });
});

describe('the id of a track', () => {
  const source = { taskId: 'task_1', trackId: 'm-1', audioUrl: 'https://media.example/1.mp3', seconds: 60 };

  it('is known to the channel that made it, and to no other', () => {
    expect(ownTrack({ operation: 'stems', source: { ...source, channelId: 'channel-1' } }, endpoint)).toBe('m-1');
    expect(ownTrack({ operation: 'stems', source: { ...source, channelId: 'channel-2' } }, endpoint)).toBeUndefined();
    expect(ownTrack({ operation: 'lyrics' }, endpoint)).toBeUndefined();
  });
});

describe('the name of a version', () => {
  const names = { v5: 'five', 'v5.5': 'five-and-a-half' };

  it("is the channel's, else the protocol's, else the model's", () => {
    const renamed = { ...endpoint, options: { versions: { v5: 'cinq' } } };
    expect(versionName({ operation: 'create', version: 'v5' }, renamed, names)).toBe('cinq');
    expect(versionName({ operation: 'create', version: 'v5.5' }, renamed, names)).toBe('five-and-a-half');
    expect(versionName({ operation: 'create' }, renamed, names)).toBe('newest');
  });
});
