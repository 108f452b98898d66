import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { edited, editedRequest, sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onEditedTrack } from '../../../music/source-track';

export default defineModel({
  ...musicOperation('adjust_speed'),
  route: { paths: ['/v1/music/generations/adjustSpeed'], summary: 'Change the speed of a track' },
  input: fieldsOf(['task_id', 'speed'], {
    ...sourceTrack,
    speed: { type: 'number', minimum: 0.25, maximum: 4, description: 'Times as fast; the pitch stays.' },
    ...edited,
  }),
  ...onEditedTrack(),
  request: (input) => ({
    operation: 'adjust_speed',
    ...boundTrack(input),
    speed: input.speed,
    ...editedRequest(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', speed: 1.5 }],
});
