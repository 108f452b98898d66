import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { given } from '../../../given';
import { sourceTrack } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';
import { boundTrack, onTrack } from '../../../music/source-track';

const STEMS = [
  'lead_vocal',
  'vocals',
  'backing_vocals',
  'drums',
  'bass',
  'guitar',
  'keyboard',
  'strings',
  'brass',
  'woodwinds',
  'percussion',
  'synth',
  'fx',
] as const;

export default defineModel({
  ...musicOperation('stems'),
  route: { paths: ['/v1/music/generations/stems'], summary: 'Separate a track' },
  input: fieldsOf(['task_id'], {
    ...sourceTrack,
    stem_type: { type: 'string', enum: STEMS, description: 'Default: the vocals, and all else.' },
  }),
  ...onTrack(),
  media: () => [],
  request: (input) => ({ operation: 'stems', ...boundTrack(input), ...given({ stemType: input.stem_type }) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', stem_type: 'lead_vocal' }],
});
