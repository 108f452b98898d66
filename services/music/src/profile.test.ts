import type { JsonObject } from '@mediagate/contracts';
import type { StoredOutput } from '@mediagate/worker-runtime';
import { musicProfile } from './profile';

const describeResult = (outputs: StoredOutput[], facts: JsonObject, operation: string | null = null) =>
  musicProfile.describeResult(outputs, facts, operation);
const expiresAt = new Date(4_000_000_000_500);
const trackOutput = (facts: StoredOutput['facts'] = {}, seconds?: number): StoredOutput => ({
  role: 'audio',
  url: 'https://media.example/1.mp3',
  contentType: 'audio/mpeg',
  expiresAt,
  sha256: '',
  facts,
  ...(seconds === undefined ? {} : { seconds }),
});
const cover = (trackId: string): StoredOutput => ({
  role: 'cover',
  url: `https://media.example/${trackId}.jpg`,
  contentType: 'image/jpeg',
  expiresAt,
  sha256: '',
  facts: { trackId },
});

describe('the result of a music task', () => {
  it.each(['music.sounds', 'music.sound-effects'])(
    'has sounds of %s as audios, too, as images and videos are',
    (operation) => {
      const { music, audios } = describeResult([trackOutput({}, 2.5), trackOutput()], {}, operation);
      const file = { url: ['https://media.example/1.mp3'], expires_at: 4_000_000_000 };
      expect(audios).toEqual([{ ...file, duration: 2.5 }, file]);
      expect(music).toHaveLength(2);
      expect(describeResult([trackOutput()], {}, 'music.create')).not.toHaveProperty('audios');
    },
  );

  it('has its tracks in order, each with all of its fields and its own cover', () => {
    const facts = { trackId: 'b', title: 'Harbour', lyrics: 'La', tags: 'waltz' };
    const result = describeResult(
      [trackOutput(facts, 120.5), trackOutput({ trackId: 'a' }, 60), cover('a'), cover('b')],
      {},
    );
    expect(result).toEqual({
      music: [
        {
          audio_id: 'b',
          title: 'Harbour',
          lyrics: 'La',
          tags: 'waltz',
          duration: 120.5,
          audio_url: 'https://media.example/1.mp3',
          image_url: 'https://media.example/b.jpg',
          expires_at: 4_000_000_000,
        },
        expect.objectContaining({ audio_id: 'a', image_url: 'https://media.example/a.jpg' }),
      ],
    });
  });

  it('has an empty string for what a track lacks, as stems lack an id, and nothing of other tracks', () => {
    expect(describeResult([trackOutput(), cover('')], {})['music']).toEqual([
      {
        audio_id: '',
        title: '',
        lyrics: '',
        tags: '',
        image_url: '',
        audio_url: 'https://media.example/1.mp3',
        expires_at: 4_000_000_000,
      },
    ]);
  });

  it('is as long as the vendor counts it where that is what plays, so that moments up to its end are accepted', () => {
    const length = (counted: number, heard: number) => {
      const [track] = describeResult([trackOutput({ trackId: 'a', seconds: counted }, heard)], {})['music'] as {
        duration: number;
      }[];
      return track?.duration;
    };
    expect(length(12, 12.042)).toBe(12);
    expect(length(30, 12.042)).toBe(12.042);
  });

  it('has the cover of a track that no vendor knows, which names none', () => {
    const { facts: _, ...image } = cover('x');
    expect(describeResult([trackOutput({ title: 'Edited' }), image], {})['music']).toMatchObject([
      { title: 'Edited', image_url: 'https://media.example/x.jpg' },
    ]);
  });

  it('of lyrics is all of them, and the first text by itself', () => {
    const lyrics = [
      { title: 'A', text: 'one', tags: '' },
      { title: 'B', text: 'two', tags: '' },
    ];
    expect(describeResult([], { lyrics })).toEqual({ lyrics, text: 'one' });
  });

  it.each([{ midi: { instruments: [] } }, { bpm: 97.5 }, { alignment: [] }])('is %j and no track', (facts) => {
    expect(describeResult([], facts)).toEqual(facts);
  });
});
