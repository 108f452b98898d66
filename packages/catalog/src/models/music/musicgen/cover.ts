import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { songwriting, sourceTrack, version } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { songwritingRequest, writtenTrack } from '../../../music/songwriting';
import { boundTrack, onTrack } from '../../../music/source-track';

export default defineModel({
  ...musicOperation('cover', { versioned: true }),
  route: { paths: ['/v1/music/generations/cover'], summary: 'Make a cover of a track' },
  input: fieldsOf(['task_id'], { ...sourceTrack, version: version('v5.5'), ...songwriting }),
  ...writtenTrack,
  ...onTrack(),
  media: () => [],
  request: (input) => ({
    operation: 'cover',
    ...boundTrack(input),
    version: input.version,
    ...songwritingRequest(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', audio_index: 2, gpt_description: 'The same as a tango' }],
});
