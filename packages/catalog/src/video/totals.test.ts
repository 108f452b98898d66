import { aboutField, type LoadedMedia, message } from '@mediagate/contracts';
import { tooLongTogether, totalSeconds } from './totals';

const clips = (...lengths: (number | undefined)[]) =>
  lengths.map((seconds, index): LoadedMedia => {
    const clip = {
      field: `video_urls[${index}]`,
      role: 'video',
      contentType: 'video/mp4',
      bytes: Buffer.alloc(0),
    } as const;
    return seconds === undefined ? clip : { ...clip, seconds };
  });

it('adds lengths up without the drift of floating point', () => {
  expect(totalSeconds(clips(0.1, 0.2), 'video')).toBe(0.3);
  expect(totalSeconds(clips(5.1, 4.9, 5), 'video')).toBe(15);
  expect(totalSeconds(clips(1, undefined), 'video')).toBe(1);
  expect(totalSeconds(clips(1), 'audio')).toBe(0);
});

it('names the files, the limit and what was found', () => {
  const limit = { role: 'video', maxSeconds: 15 } as const;
  expect(tooLongTogether(clips(7.5, 7.5), limit)).toBeUndefined();
  expect(tooLongTogether(clips(7.6, 7.501), limit)).toEqual({
    param: 'video_urls[0]',
    message: aboutField('video_urls[0], video_urls[1]', message('together_too_long', { seconds: 15.101, limit: 15 })),
  });
});

it('gives each file the margin that a single one has', () => {
  const limit = { role: 'video', maxSeconds: 15 } as const;
  expect(tooLongTogether(clips(15.05), limit)).toBeUndefined();
  expect(tooLongTogether(clips(15.051), limit)).toBeDefined();
  expect(tooLongTogether(clips(5.05, 5.05, 5.05), limit)).toBeUndefined();
  expect(tooLongTogether(clips(5.05, 5.05, 5.051), limit)).toBeDefined();
});
