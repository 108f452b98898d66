import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onTrack, trackSoundIfThere } from '../../../music/source-track';

export default defineModel({
  ...musicOperation('bpm'),
  route: { paths: ['/v1/music/generations/bpm'], summary: 'Find the tempo of a track' },
  input: fieldsOf(['task_id'], { ...sourceTrack }),
  ...onTrack(),
  media: trackSoundIfThere,
  request: (input) => ({ operation: 'bpm', ...boundTrack(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
});
