import type { MusicSource } from '@mediagate/contracts';
import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { given } from '../../../given';
import { edited, editedRequest, sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onEditedTrack } from '../../../music/source-track';
import { beyond } from '../../../music/times';
import { missing, together } from '../../../rules';

interface Input {
  task_id: string;
  audio_index: number;
  fade_in_s?: number;
  fade_out_s?: number;
}

const seconds = (description: string) => ({ type: 'number', minimum: 0, description }) as const;

export default defineModel({
  ...musicOperation('fade'),
  route: { paths: ['/v1/music/generations/fade'], summary: 'Fade a track in or out' },
  input: fieldsOf(['task_id'], {
    ...sourceTrack,
    fade_in_s: seconds('Seconds at the beginning over which the sound comes in; 0: at once.'),
    fade_out_s: seconds('Seconds at the end over which the sound goes out; 0: at once.'),
    ...edited,
  }),
  rules: [fadesSomewhere],
  ...onEditedTrack(fadesWithin),
  request: (input) => ({
    operation: 'fade',
    ...boundTrack(input),
    ...given({ fadeIn: input.fade_in_s || undefined, fadeOut: input.fade_out_s || undefined }),
    ...editedRequest(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', fade_in_s: 2, fade_out_s: 5.5 }],
});

function fadesSomewhere({ fade_in_s: fadeIn = 0, fade_out_s: fadeOut = 0 }: Input) {
  if (fadeIn > 0 || fadeOut > 0) return undefined;
  return missing('fade_in_s', 'fade_required', { other: 'fade_out_s' });
}

function fadesWithin({ fade_in_s: fadeIn = 0, fade_out_s: fadeOut = 0 }: Input, track: MusicSource) {
  const isTooLong = fadeIn > track.seconds;
  const left = isTooLong ? track.seconds : track.seconds - fadeIn;
  return together([
    ...(isTooLong ? [beyond('fade_in_s', track)] : []),
    ...(fadeOut > left ? [beyond('fade_out_s', track)] : []),
  ]);
}
