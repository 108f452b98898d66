import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { edited, editedRequest, range, sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onEditedTrack } from '../../../music/source-track';
import { leavesSome, rangeRises, rangeWithin } from '../../../music/times';

export default defineModel({
  ...musicOperation('remove'),
  route: { paths: ['/v1/music/generations/remove'], summary: 'Take a part out of a track' },
  input: fieldsOf(['task_id', 'start_s', 'end_s'], { ...sourceTrack, ...range, ...edited }),
  rules: [rangeRises],
  ...onEditedTrack((input, track) => rangeWithin(input, track) ?? leavesSome(input, track)),
  request: (input) => ({
    operation: 'remove',
    ...boundTrack(input),
    start: input.start_s,
    end: input.end_s,
    ...editedRequest(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', start_s: 0, end_s: 30 }],
});
