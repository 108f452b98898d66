import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onTrack } from '../../../music/source-track';

export default defineModel({
  ...musicOperation('concat'),
  route: { paths: ['/v1/music/generations/concat'], summary: 'Join a track with what it extends' },
  input: fieldsOf(['task_id'], { ...sourceTrack }),
  ...onTrack(),
  media: () => [],
  request: (input) => ({ operation: 'concat', ...boundTrack(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
});
