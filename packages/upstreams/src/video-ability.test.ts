import type { VideoRequest } from '@mediagate/contracts';
import { unsayable, type VideoAbility } from './video-ability';

const POOR: VideoAbility = { resolutions: { '720p': '720' }, roles: new Set(), seconds: [3, 5], audio: 'never' };
const REQUEST: VideoRequest = { prompt: 'a lighthouse', resolution: '720p', seconds: 5, inputs: [] };

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
    expect(unsayable({ ...REQUEST, ...wanted }, POOR)).toBe(missing);
  });

  it('is nothing of a plain request, nor of a wish for what it does anyway', () => {
    const wishes = { watermark: false, audio: false, rewriteFast: false, aspectRatio: '16:9' };
    expect(unsayable({ ...REQUEST, ...wishes }, POOR)).toBeUndefined();
  });

  it('is a shape that is not among those it knows', () => {
    const ability: VideoAbility = { ...POOR, aspectRatios: new Set(['16:9']) };
    expect(unsayable({ ...REQUEST, aspectRatio: '21:9' }, ability)).toBe('shape of 21:9');
  });

  it('is silence, where there is always sound', () => {
    expect(unsayable({ ...REQUEST, audio: false }, { ...POOR, audio: 'always' })).toBe('silent videos');
  });

  it('is a tag of an input that it takes without one', () => {
    const ability: VideoAbility = { ...POOR, roles: new Set(['continued_video']) };
    const input = { role: 'continued_video', url: 'https://callers.example/1.mp4' } as const;
    expect(unsayable({ ...REQUEST, inputs: [input] }, ability)).toBeUndefined();
    expect(unsayable({ ...REQUEST, inputs: [{ ...input, tag: '@v' }] }, ability)).toBe('tags of inputs');
  });
});
