import { type Message, message, type VideoRequest } from '@mediagate/contracts';
import { type VideoAbility, videoLack } from './video-ability';

const POOR: VideoAbility = { resolutions: { '720p': '720' }, roles: new Set(), seconds: [3, 5], audio: 'never' };
const REQUEST: VideoRequest = { prompt: 'a lighthouse', resolution: '720p', seconds: 5, inputs: [] };

const lackOf = (wanted: Partial<VideoRequest>, ability: VideoAbility = POOR) =>
  videoLack({ ...REQUEST, ...wanted }, [], ability);

describe('what a poor protocol cannot say', () => {
  const cases: [Message, Partial<VideoRequest>][] = [
    [message('takes_no_resolution', { resolution: '4k' }), { resolution: '4k' }],
    [message('takes_no_length', { seconds: 2 }), { seconds: 2 }],
    [message('takes_no_length', { seconds: 6 }), { seconds: 6 }],
    [message('takes_no_own_length'), { seconds: 'auto' }],
    [message('takes_no_negative_prompts'), { negativePrompt: 'blur' }],
    [message('takes_no_seeds'), { seed: 0 }],
    [message('takes_no_watermarks'), { watermark: true }],
    [message('takes_no_choice_of_rewriting'), { rewritePrompt: false }],
    [message('takes_no_fast_rewriting'), { rewriteFast: true }],
    [message('takes_no_sound_track'), { audio: true }],
    [message('takes_no_documents'), { inputs: [{ role: 'document', url: 'https://callers.example/1.pdf' }] }],
    [message('takes_no_subjects'), { subjects: [] }],
    [message('takes_no_elements'), { elements: [] }],
    [message('takes_no_shots'), { shots: 'auto' }],
  ];
  it.each(cases)('%j', (missing, wanted) => {
    expect(lackOf(wanted)?.message).toEqual(missing);
  });

  it('is nothing of a plain request, nor of a wish for what it does anyway', () => {
    const wishes = { watermark: false, audio: false, rewriteFast: false, aspectRatio: '16:9' };
    expect(lackOf(wishes)).toBeUndefined();
  });

  it('is a shape that is not among those it knows', () => {
    const ability: VideoAbility = { ...POOR, aspectRatios: new Set(['16:9']) };
    expect(lackOf({ aspectRatio: '21:9' }, ability)?.message).toEqual(message('takes_no_shape', { ratio: '21:9' }));
  });

  it('is silence, where there is always sound', () => {
    expect(lackOf({ audio: false }, { ...POOR, audio: 'always' })?.message).toEqual(message('takes_no_silent_videos'));
  });

  it('is a tag of an input that it takes without one', () => {
    const ability: VideoAbility = { ...POOR, roles: new Set(['continued_video']) };
    const input = { role: 'continued_video', url: 'https://callers.example/1.mp4' } as const;
    expect(lackOf({ inputs: [input] }, ability)).toBeUndefined();
    expect(lackOf({ inputs: [{ ...input, tag: '@v' }] }, ability)?.message).toEqual(message('takes_no_tags'));
  });
});
