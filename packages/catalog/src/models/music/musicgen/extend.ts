import type { MusicSource } from '@mediagate/contracts';
import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { songwriting, sourceTrack, version } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { songwritingRequest, writtenTrack } from '../../../music/songwriting';
import { boundTrack, onTrack } from '../../../music/source-track';
import { beyond } from '../../../music/times';

interface Input {
  task_id: string;
  audio_index: number;
  continue_at: number;
}

export default defineModel({
  ...musicOperation('extend', { versioned: true }),
  route: { paths: ['/v1/music/generations/extend'], summary: 'Extend a track' },
  input: fieldsOf(['task_id', 'continue_at'], {
    ...sourceTrack,
    continue_at: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Seconds from the beginning of the track, where the new part begins.',
    },
    version: version('v5.5'),
    ...songwriting,
  }),
  ...writtenTrack,
  ...onTrack(continuesWithin),
  media: () => [],
  request: (input) => ({
    operation: 'extend',
    ...boundTrack(input),
    version: input.version,
    continueAt: input.continue_at,
    ...songwritingRequest(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', continue_at: 45, prompt: '[Bridge]\nThe tide comes in' }],
});

/** At the very end is where most tracks are extended. */
function continuesWithin({ continue_at: at }: Input, track: MusicSource) {
  return at > track.seconds ? beyond('continue_at', track) : undefined;
}
