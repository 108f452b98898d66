import type { VideoRequest } from '@mediagate/contracts';
import { lack } from './lacks';
import { type VideoAbility, videoLack } from './video-ability';

const POOR: VideoAbility = { resolutions: { '720p': '720' }, roles: new Set(), seconds: [3, 5], audio: 'never' };
const REQUEST: VideoRequest = { prompt: 'a lighthouse', resolution: '720p', seconds: 5, inputs: [] };

const lackOf = (wanted: Partial<VideoRequest>, ability: VideoAbility = POOR) =>
  videoLack({ ...REQUEST, ...wanted }, [], ability);
const message = (what: string) => lack(what).message;

describe('what a poor protocol cannot say', () => {
  const cases: [string, Partial<VideoRequest>][] = [
    ['resolution of 4k', { resolution: '4k' }],
    ['length of 2 seconds', { seconds: 2 }],
    ['length of 6 seconds', { seconds: 6 }],
    ['length of its own choice', { seconds: 'auto' }],
    ['negative prompts', { negativePrompt: 'blur' }],
    ['seeds', { seed: 0 }],
    ['watermarks', { watermark: true }],
    ['choice about rewriting the prompt', { rewritePrompt: false }],
    ['fast rewriting of the prompt', { rewriteFast: true }],
    ['sound track', { audio: true }],
    ['documents', { inputs: [{ role: 'document', url: 'https://callers.example/1.pdf' }] }],
    ['subjects', { subjects: [] }],
    ['elements', { elements: [] }],
    ['several shots', { shots: 'auto' }],
  ];
  it.each(cases)('%s', (missing, wanted) => {
    expect(lackOf(wanted)?.message).toBe(message(missing));
  });

  it('is nothing of a plain request, nor of a wish for what it does anyway', () => {
    const wishes = { watermark: false, audio: false, rewriteFast: false, aspectRatio: '16:9' };
    expect(lackOf(wishes)).toBeUndefined();
  });

  it('is a shape that is not among those it knows', () => {
    const ability: VideoAbility = { ...POOR, aspectRatios: new Set(['16:9']) };
    expect(lackOf({ aspectRatio: '21:9' }, ability)?.message).toBe(message('shape of 21:9'));
  });

  it('is silence, where there is always sound', () => {
    expect(lackOf({ audio: false }, { ...POOR, audio: 'always' })?.message).toBe(message('silent videos'));
  });

  it('is a tag of an input that it takes without one', () => {
    const ability: VideoAbility = { ...POOR, roles: new Set(['continued_video']) };
    const input = { role: 'continued_video', url: 'https://callers.example/1.mp4' } as const;
    expect(lackOf({ inputs: [input] }, ability)).toBeUndefined();
    expect(lackOf({ inputs: [{ ...input, tag: '@v' }] }, ability)?.message).toBe(message('tags of inputs'));
  });
});
