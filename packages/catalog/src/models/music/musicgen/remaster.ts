import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { sourceTrack, version } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onTrack } from '../../../music/source-track';

export default defineModel({
  ...musicOperation('remaster', { versioned: true }),
  route: { paths: ['/v1/music/generations/remaster'], summary: 'Master a track' },
  input: fieldsOf(['task_id'], { ...sourceTrack, version: version('v5') }),
  ...onTrack(),
  media: () => [],
  request: (input) => ({ operation: 'remaster', ...boundTrack(input), version: input.version }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
});
