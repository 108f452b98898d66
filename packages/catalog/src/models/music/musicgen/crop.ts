import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { edited, editedRequest, range, sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onEditedTrack } from '../../../music/source-track';
import { rangeRises, rangeWithin } from '../../../music/times';

export default defineModel({
  ...musicOperation('crop'),
  route: { paths: ['/v1/music/generations/crop'], summary: 'Keep a part of a track' },
  input: fieldsOf(['task_id', 'start_s', 'end_s'], { ...sourceTrack, ...range, ...edited }),
  rules: [rangeRises],
  ...onEditedTrack(rangeWithin),
  request: (input) => ({
    operation: 'crop',
    ...boundTrack(input),
    start: input.start_s,
    end: input.end_s,
    ...editedRequest(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', start_s: 0, end_s: 30 }],
});
